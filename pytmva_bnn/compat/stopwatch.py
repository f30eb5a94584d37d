"""TStopwatch and gBenchmark: how long something takes."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import time

from pytmva_bnn.compat.messages import show


class TStopwatch:
    """Real and processor time between Start and Stop; it starts when it is made."""

    def __init__(self) -> None:
        self._real = self._cpu = 0.0
        self._since: tuple[float, float] | None = None
        self.Start()

    def Start(self, reset: bool = True) -> None:
        """Start, from 0 or from where it stands."""
        if reset:
            self._real = self._cpu = 0.0
        self._since = (time.perf_counter(), time.process_time())

    def Continue(self) -> None:
        self.Start(reset=False)

    def Stop(self) -> None:
        if self._since is not None:
            self._real += time.perf_counter() - self._since[0]
            self._cpu += time.process_time() - self._since[1]
            self._since = None

    def Reset(self) -> None:
        """Stop, and go back to 0."""
        self._since = None
        self._real = self._cpu = 0.0

    def RealTime(self) -> float:
        """Stop, and return the seconds that passed."""
        self.Stop()
        return self._real

    def CpuTime(self) -> float:
        """Stop, and return the seconds that the processor worked."""
        self.Stop()
        return self._cpu

    def Print(self, option: str = "") -> None:
        """Stop, and show the times."""
        del option
        hours, rest = divmod(int(self.RealTime()), 3600)
        clock = f"{hours}:{rest // 60:02d}:{rest % 60:02d}"
        show(f"Real time {clock}, CP time {self.CpuTime():.3f}")


class Benchmarks:
    """``gBenchmark``: stopwatches by name."""

    def __init__(self) -> None:
        self._watches: dict[str, TStopwatch] = {}

    def Start(self, name: str) -> None:
        self._watches[name] = TStopwatch()

    def Stop(self, name: str) -> None:
        self._watches[name].Stop()

    def Show(self, name: str) -> None:
        """Stop the stopwatch of that name, and show its times."""
        watch = self._watches[name]
        show(f"{name:<11}: Real Time = {watch.RealTime():6.2f} seconds Cpu Time = {watch.CpuTime():6.2f} seconds")

    def GetRealTime(self, name: str) -> float:
        return self._watches[name].RealTime()

    def GetCpuTime(self, name: str) -> float:
        return self._watches[name].CpuTime()


gBenchmark = Benchmarks()  # noqa: N816 - ROOT's name
