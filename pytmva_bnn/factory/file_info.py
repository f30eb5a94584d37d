"""The general information at the head of a weight file: who trained what, where and when."""

from __future__ import annotations

import getpass
import platform
from datetime import datetime
from pathlib import Path

from pytmva_bnn.weights.records import ROOT_RELEASE, TMVA_RELEASE


def general_info(n_training: int, seconds: float, analysis_type: str) -> tuple[tuple[str, str], ...]:
    """Return the items of GeneralInfo in TMVA's order."""
    return (
        ("TMVA Release", TMVA_RELEASE),
        ("ROOT Release", ROOT_RELEASE),
        ("Creator", _user()),
        ("Date", _date(datetime.now())),  # noqa: DTZ005 - TMVA writes local time without zone
        ("Host", f"{platform.system()} {platform.node()} {platform.release()} {platform.machine()}"),
        ("Dir", str(Path.cwd())),
        ("Training events", str(n_training)),
        ("TrainingTime", f"{seconds:.8e}"),
        ("AnalysisType", analysis_type),
    )


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container without an entry for the user
        return "unknown"


def _date(now: datetime) -> str:
    # written out, since strftime follows the locale
    days = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    months = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
    return f"{days[now.weekday()]} {months[now.month - 1]} {now.day:2d} {now:%H:%M:%S} {now.year}"
