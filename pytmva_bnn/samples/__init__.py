"""Small samples of events that come with the package, to try things on."""

from __future__ import annotations

from pathlib import Path

from pytmva_bnn._typing import Float32Array
from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.files import read_archive

_FOLDER = Path(__file__).parent


def sample(name: str) -> dict[str, dict[str, Float32Array]]:
    """Return the trees of a sample, each as a dict of columns, which every call that takes events accepts.

    ``"fakerate"``: 6,000 toy muons with their transverse momentum ``pt`` and the sum of the transverse momenta of
    the jets, ``ht``, both in GeV.  Those in the tree ``pass`` are isolated, those in ``fail`` are not.

    >>> muons = sample("fakerate")
    >>> {tree: (list(columns), columns["pt"].size) for tree, columns in muons.items()}
    {'pass': (['pt', 'ht'], 3098), 'fail': (['pt', 'ht'], 2902)}
    """
    known = sorted(path.stem for path in _FOLDER.glob("*.npz"))
    if name not in known:
        hint = suggestion(name, known)
        raise InputError(f"there is no sample {name!r}; {hint + ' ' if hint else ''}Samples: {', '.join(known)}")
    trees: dict[str, dict[str, Float32Array]] = {}
    for key, values in read_archive(_FOLDER / f"{name}.npz").items():
        tree, _, column = key.partition(".")
        trees.setdefault(tree, {})[column] = values
    return trees
