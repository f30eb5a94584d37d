"""<chrono>: clocks, points in time and durations."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import total_ordering
from typing import Any, ClassVar

from pytmva_bnn.compat.cpp.arithmetic import divide, quotient
from pytmva_bnn.compat.std.types import plain_name, split_names

PERIODS = {"nano": 1, "micro": 10**3, "milli": 10**6, "": 10**9, "ratio<60>": 60 * 10**9, "ratio<3600>": 3600 * 10**9}
UNITS = dict(zip(("nanoseconds", "microseconds", "milliseconds", "seconds", "minutes", "hours"), PERIODS, strict=True))


@total_ordering
class Duration:
    """A length of time, counted in ticks of ``period`` nanoseconds."""

    period: ClassVar[int] = 1
    is_real: ClassVar[bool] = False

    def __init__(self, value: Any = 0) -> None:
        self.nanoseconds: Any = value.nanoseconds if isinstance(value, Duration) else value * self.period
        self.nanoseconds = self.count() * self.period

    def count(self) -> Any:
        if self.is_real:
            return self.nanoseconds / self.period
        whole = isinstance(self.nanoseconds, int)
        return quotient(self.nanoseconds, self.period) if whole else int(self.nanoseconds / self.period)

    def time_since_epoch(self) -> Duration:
        return self

    def _made(self, nanoseconds: Any, other: Duration | None = None) -> Duration:
        kind = type(self) if other is None or self.is_real or self.period <= other.period else type(other)
        made = kind()
        made.nanoseconds = nanoseconds
        return made

    def __add__(self, other: Duration) -> Duration:
        return self._made(self.nanoseconds + other.nanoseconds, other)

    def __sub__(self, other: Duration) -> Duration:
        return self._made(self.nanoseconds - other.nanoseconds, other)

    def __mul__(self, factor: Any) -> Duration:
        return type(self)(self.count() * factor)

    def __truediv__(self, divisor: Any) -> Any:
        if isinstance(divisor, Duration):
            return divide(self.nanoseconds, divisor.nanoseconds)
        return type(self)(divide(self.count(), divisor))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Duration) and self.nanoseconds == other.nanoseconds

    def __lt__(self, other: Duration) -> bool:
        return bool(self.nanoseconds < other.nanoseconds)

    __hash__ = None  # type: ignore[assignment]


_CLASSES: dict[str, type[Duration]] = {
    name: type(name, (Duration,), {"period": PERIODS[unit]}) for name, unit in UNITS.items()
}


def duration_class(spec: Any) -> type[Duration]:
    """Return the class of durations of a name: ``milliseconds``, ``duration<double, std::milli>``."""
    if isinstance(spec, type):
        return spec
    name = plain_name(spec).replace("chrono::", "")
    if name not in _CLASSES:
        inner = re.sub(r"^duration<(.*)>$", r"\1", name)
        number, *period = split_names(inner)
        given = period[0] if period else ""
        ratio = re.match(r"ratio<(\d+)(?:,(\d+))?>", given)
        ticks = int(ratio[1]) * 10**9 // int(ratio[2] or 1) if ratio else PERIODS[given]
        _CLASSES[name] = type(name, (Duration,), {"period": ticks, "is_real": number in ("double", "float")})
    return _CLASSES[name]


class ByDuration:
    """``duration<double>`` and ``duration_cast<milliseconds>``, which is given the type in brackets."""

    def __getitem__(self, spec: Any) -> type[Duration]:
        return duration_class(spec if isinstance(spec, str | type) else ",".join(spec))


def _clock(now: Callable[[], int]) -> Any:
    """Return a clock; its points in time are durations since its start."""
    to_time_t = staticmethod(lambda point: int(point.nanoseconds // 10**9))
    return type("clock", (), {"now": staticmethod(lambda: _CLASSES["nanoseconds"](now())), "to_time_t": to_time_t})


def sleep_for(duration: Duration) -> None:
    """Wait."""
    time.sleep(float(duration.nanoseconds) / 1e9)


CHRONO: dict[str, Any] = {
    "steady_clock": _clock(time.perf_counter_ns), "high_resolution_clock": _clock(time.perf_counter_ns),
    "system_clock": _clock(time.time_ns),
    "duration": ByDuration(), "duration_cast": ByDuration(), **{name: duration_class(name) for name in UNITS},
}  # fmt: skip
