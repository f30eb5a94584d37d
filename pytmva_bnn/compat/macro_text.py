"""TMacro: the lines of a macro as an object; and TDatime, TTimeStamp: dates as macros print them."""
# ruff: noqa: N802 - ROOT's names

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from pytmva_bnn.compat.errors import RefusedError
from pytmva_bnn.compat.messages import show
from pytmva_bnn.compat.named import Named
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.compat.strings import TObjString


class TMacro(Named):
    """``TMacro(name, title)`` with AddLine, or ``TMacro(file)``."""

    def __init__(self, name: str = "", title: str = "") -> None:
        path = Path(str(name))
        self._lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        self._name, self._title = path.stem if path.is_file() else str(name), str(title)

    def AddLine(self, text: str) -> Any:
        self._lines.append(str(text))
        return TObjString(text)

    def GetListOfLines(self) -> list[TObjString]:
        return [TObjString(line) for line in self._lines]

    def SaveSource(self, path: str) -> None:
        Path(str(path)).write_text("".join(f"{line}\n" for line in self._lines), encoding="utf-8")

    def Write(self, name: str = "", *_: Any) -> int:
        """Write the lines, as text, to the current file."""
        SESSION.directory.write_object(TObjString("\n".join(self._lines)), str(name) or self._name)
        return len(self._lines)

    def Print(self, option: str = "") -> None:
        del option
        show("\n".join(self._lines))

    def Exec(self, *_: Any) -> int:
        """Raise: C++ cannot be run."""
        raise RefusedError(f"TMacro {self._name}: C++ cannot be run here; translate it with 'pytmva-bnn port'")


class TDatime:
    """A local date and time: now, ``TDatime("2020-01-31 12:00:00")``, or ``TDatime(20200131, 120000)``."""

    def __init__(self, *when: Any) -> None:
        now = dt.datetime.now().astimezone()
        if len(when) == 2:
            now = dt.datetime.strptime(f"{when[0]:08d}{when[1]:06d}", "%Y%m%d%H%M%S").astimezone()
        elif when:
            now = dt.datetime.fromisoformat(str(when[0])).astimezone()
        self._time = now

    def __getattr__(self, name: str) -> Any:
        # GetYear, GetMonth, GetDay, GetHour, GetMinute, GetSecond
        if name.startswith("Get") and hasattr(self._time, name[3:].lower()):
            return lambda: getattr(self._time, name[3:].lower())
        raise AttributeError(name)

    def GetDate(self, *_: Any) -> int:
        """Return the date as one number: 20200131."""
        return int(self._time.strftime("%Y%m%d"))

    def GetTime(self, *_: Any) -> int:
        """Return the time as one number: 120000."""
        return int(self._time.strftime("%H%M%S"))

    def AsString(self, option: str = "") -> str:
        """Return it as text: ``Fri Jan 31 12:00:00 2020``."""
        del option
        return self._time.strftime("%a %b %e %H:%M:%S %Y")

    def AsSQLString(self) -> str:
        """Return it as text: ``2020-01-31 12:00:00``."""
        return self._time.strftime("%Y-%m-%d %H:%M:%S")

    def GetDayOfWeek(self) -> int:
        """Return the day of the week; Monday is 1."""
        return self._time.isoweekday()

    def Convert(self, toGMT: bool = False) -> int:  # noqa: N803 - ROOT's name
        del toGMT
        return int(self._time.timestamp())

    GetSec = Convert

    def Set(self, *when: Any) -> None:
        self._time = type(self)(*when)._time

    def Print(self, option: str = "") -> None:
        show(f"Date/Time = {self.AsString(option)}")


TTimeStamp = TDatime
