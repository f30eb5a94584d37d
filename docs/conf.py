"""How Sphinx builds the documentation; ``tools/docs`` runs it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pytmva_bnn import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "pytmva_bnn"
author = "the authors of pytmva_bnn"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "mathml", "notebooks"]
exclude_patterns = ["_extensions"]

# Pages are Markdown that reads well as it is: formulas in dollars, links to sections by their headings
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# The reference comes from the docstrings
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
# numpy's types written out fill half a page
autodoc_type_aliases = {name: name for name in ("ArrayLike", "FloatArray", "Floats", "Float32Array", "NDArray")}
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True

# References in docstrings must lead somewhere.  Types in signatures need not: numpy's and our inner ones have no page.
nitpicky = True
nitpick_ignore_regex = [("py:class", ".*"), ("py:(func|mod)", r"pytmva_bnn\.dataset\..*")]

# The site works without a network: formulas are MathML, the theme brings its own fonts and scripts
html_theme = "furo"
html_title = f"pytmva_bnn {release}"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["wide.css"]
html_copy_source = False
html_show_copyright = False


def _offer_files_of_the_project(app: Sphinx, docname: str, source: list[str]) -> None:
    """Make links to Markdown files outside of docs/ downloads: they are no pages of the site."""
    del app, docname
    source[0] = re.sub(r"\]\((\.\./[^)#\s]+\.md)\)", r"](path:\1)", source[0])


def _name_types_shortly(
    app: Sphinx, what: str, name: str, obj: object, options: object, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Show a type alias by its name where autodoc shows how it keeps it."""
    del app, what, name, obj, options
    shown = [text and re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text) for text in (signature, returned)]
    return shown[0], shown[1]


def setup(app: Sphinx) -> None:
    """Connect what this file adds to the build."""
    app.connect("source-read", _offer_files_of_the_project)
    app.connect("autodoc-process-signature", _name_types_shortly)
