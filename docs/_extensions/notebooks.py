"""Notebooks as pages: cells and the outputs they were saved with become Markdown; nothing is run.

It needs no more than what the other pages need, and takes of the outputs the richest one that a page can show.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

FENCE = "````"


def to_markdown(text: str) -> str:
    """Return a notebook as a page."""
    return "\n\n".join(part for cell in json.loads(text)["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
    elif cell["cell_type"] == "code":
        yield f"{FENCE}python\n{source}\n{FENCE}"
        for output in cell["outputs"]:
            yield _output(output)


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "error":
        raise ValueError(f"the notebook was saved with an error: {output['ename']}: {output['evalue']}")
    data = {kind: "".join(content) for kind, content in output.get("data", {}).items()}
    if "image/png" in data:
        return _html(f'<img src="data:image/png;base64,{data["image/png"].strip()}" alt="what the cell draws">')
    if "text/html" in data:
        return _html(data["text/html"])
    plain = data.get("text/plain") or "".join(output.get("text", ""))
    return f"{FENCE}text\n{plain.rstrip()}\n{FENCE}"


def _html(content: str) -> str:
    return f'{FENCE}{{raw}} html\n<div class="output">{content}</div>\n{FENCE}'


class NotebookParser(MystParser):
    """Reads pages with the ending ``.ipynb``."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a notebook as the Markdown that it becomes."""
        super().parse(to_markdown(inputstring), document)


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the parser for notebooks."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
