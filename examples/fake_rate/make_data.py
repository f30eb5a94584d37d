"""Make the small data files of this example from the original samples.

    python make_data.py FOLDER_OF_THE_ORIGINAL_FILES [--output data]

The original files have a tree ``muons`` with pt, ht, eta, iso (float32) and isol, charge, event (int32).  Kept are the
columns that the example uses, bit for bit, and as many of the first entries as it needs.
"""

import argparse
from pathlib import Path

import numpy as np
import uproot

# name of the file: entries kept (None: all).  The single muons without underlying event are kept all: those that
# neither train nor test the network check it independently.
ENTRIES = {"single_muon": None, "dimuon_ss": None, "single_muon_ue": 78_000, "dimuon_ss_ue": None}
COLUMNS = {"pt": np.float32, "ht": np.float32, "eta": np.float32, "isol": np.int8}


def convert(original: Path, target: Path, n_entries: int | None) -> int:
    """Write the chosen columns and entries of one file; return how many muons it has."""
    with uproot.open(original) as file:
        muons = file["muons"].arrays(list(COLUMNS), entry_stop=n_entries, library="np")
    with uproot.recreate(target, compression=uproot.LZMA(9)) as file:
        tree = file.mktree("muons", COLUMNS)
        tree.extend({name: muons[name].astype(dtype) for name, dtype in COLUMNS.items()})
    return len(muons["isol"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("originals", type=Path, help="folder with single_muon.root and the others")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "data")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, n_entries in ENTRIES.items():
        target = arguments.output / f"{name}.root"
        n = convert(arguments.originals / f"{name}.root", target, n_entries)
        print(f"{target}: {n} muons, {target.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
