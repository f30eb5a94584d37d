"""Run the notebooks of the documentation and keep their outputs, small and the same at every run."""

from __future__ import annotations

import base64
import sys
import tempfile
from io import BytesIO
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "notebooks"
COLOURS = 64


def run(path: Path) -> int:
    """Run a notebook in an empty folder, write it with its outputs, and return its size in bytes."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, resources={"metadata": {"path": folder}}, record_timing=False).execute()
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if "image/png" in data:
                data["image/png"] = smaller(data["image/png"])
    # what changes from one machine to the next
    notebook.metadata["language_info"] = {"name": "python"}
    nbformat.write(notebook, path)
    return path.stat().st_size


def smaller(png: str) -> str:
    """Return a picture in base64 with few colours."""
    buffer = BytesIO()
    with Image.open(BytesIO(base64.b64decode(png))) as full:
        full.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(buffer, "png", optimize=True)
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def main(names: list[str]) -> int:
    """Run the notebooks given, or all."""
    for path in [Path(name) for name in names] or sorted(FOLDER.glob("*.ipynb")):
        sys.stdout.write(f"{path.name}: {run(path)} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
