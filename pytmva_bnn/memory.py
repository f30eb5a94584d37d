"""Whether something fits into memory, asked before room is made for it.

A system may promise more memory than it has and end the process when it is used; so the numbers are compared.
"""

from __future__ import annotations

import math
import os
from contextlib import suppress
from functools import cache
from pathlib import Path

from pytmva_bnn.errors import TooLargeError

_CONTAINER = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def memory_limit() -> float:
    """Return how many bytes this process can have at most: what the machine has, the container or ulimit allows."""
    limits = [_machine_limit()]
    with suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        soft = resource.getrlimit(resource.RLIMIT_AS)[0]
        limits += [soft] if soft != resource.RLIM_INFINITY else []
    return min(limits)


@cache
def _machine_limit() -> float:
    limits = [math.inf]
    with suppress(AttributeError, ValueError, OSError):  # not known on Windows
        limits.append(float(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")))
    for name in _CONTAINER:
        with suppress(OSError, ValueError):
            limits.append(float(Path(name).read_text("ascii")))
    return min(limit for limit in limits if limit > 0)


def check_memory(n_bytes: float, what: str, advice: str = "") -> None:
    """Raise TooLargeError if so many bytes cannot be had.

    >>> check_memory(8e18, "HiddenLayers=1000000000", "choose a smaller network")
    Traceback (most recent call last):
    pytmva_bnn.errors.TooLargeError: HiddenLayers=1000000000 needs 8 EB of memory (8000000000000000000 bytes), ...
    """
    limit = memory_limit()
    if n_bytes > limit:
        raise TooLargeError(
            f"{what} needs {shown_bytes(n_bytes)} of memory ({n_bytes:.0f} bytes), but only "
            f"{shown_bytes(limit)} are available" + (f"; {advice}" if advice else "")
        )


def shown_bytes(n_bytes: float) -> str:
    """Return a number of bytes for people.

    >>> shown_bytes(999), shown_bytes(25.3e9), shown_bytes(8e21)
    ('999 B', '25.3 GB', '8e+03 EB')
    """
    power = min(max(int(math.log10(max(n_bytes, 1)) // 3), 0), 6)
    return f"{n_bytes / 1000**power:.3g} {('B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB')[power]}"
