"""Whether a file is one that a training left."""

from __future__ import annotations

from pathlib import Path

from pytmva_bnn.errors import InputError

_CONTENTS = ("Method_", "InputVariables_", "TestTree", "TrainTree")


def check_output_file(path: str | Path) -> None:
    """Raise if a ROOT file is no output file of TMVA; what cannot be read is left to those who read it.

    >>> check_output_file("xml_fixtures/data/class.root")
    Traceback (most recent call last):
    pytmva_bnn.errors.InputError: xml_fixtures/data/class.root is no output file of TMVA or of this package: give the
    file that a training wrote (TMVA.root)
    """
    if not Path(path).is_file():
        return
    import uproot  # heavy

    try:
        with uproot.open(path) as file:
            names = [part for key in file.keys(recursive=True, cycle=False) for part in key.split("/")[:2]]
    except Exception:
        return
    if not any(name.startswith(_CONTENTS) for name in names):
        raise InputError(
            f"{path} is no output file of TMVA or of this package: give the file that a training wrote (TMVA.root)"
        )
