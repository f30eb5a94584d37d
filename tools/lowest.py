"""Prints the lowest versions that setup.cfg allows as constraints for pip: ``numpy>=2.0`` becomes ``numpy==2.0``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path

SETUP = Path(__file__).resolve().parent.parent / "setup.cfg"
_LOWER_BOUND = re.compile(r"(?P<name>[\w.-]+)(\[[^]]*\])?\s*>=\s*(?P<version>[\w.]+)\s*(?P<marker>;.*)?")


def lowest(setup: str) -> Iterator[str]:
    """Yield a constraint for every requirement of a setup.cfg, given as text, that has a lower bound."""
    config = ConfigParser(comment_prefixes="#")
    config.read_string(setup)
    for requirements in (config["options"]["install_requires"], *config["options.extras_require"].values()):
        for bound in filter(None, map(_LOWER_BOUND.fullmatch, requirements.splitlines())):
            yield f"{bound['name']}=={bound['version']}{' ' + bound['marker'] if bound['marker'] else ''}"


if __name__ == "__main__":
    print("\n".join(lowest(SETUP.read_text(encoding="utf-8"))))
