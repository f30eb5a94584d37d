"""Formulas as MathML, made when the pages are built: the finished site needs neither a script nor the network.

A formula that cannot be converted is a warning of the build, and ``tools/docs`` takes warnings as errors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, fromstring

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

logger = logging.getLogger(__name__)

# What latex2mathml does not know it shows as text: \foo becomes the identifier "\foo"
_LEFT_OVER = re.compile(r"\\[A-Za-z]*")
# Elements that have a fixed number of parts; latex2mathml lets \frac{1} pass
_PARTS = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "mover": 2, "munderover": 3}


class FormulaError(ValueError):
    """A formula cannot be converted."""


def to_mathml(formula: str, *, block: bool = False) -> str:
    r"""Return the formula, LaTeX without its dollar signs, as a MathML element.

    >>> to_mathml(r"\alpha^2")[:5]
    '<math'
    >>> to_mathml(r"\foo{x}")
    Traceback (most recent call last):
    ...
    mathml.FormulaError: \foo is not known
    """
    try:
        text = convert(formula, display="block" if block else "inline")
        mathml = fromstring(text)  # noqa: S314 - our own text
    except Exception as error:  # the library has a class for each mistake, without a common base
        raise FormulaError(f"{type(error).__name__} {error}".strip()) from error
    _check(mathml)
    return text


def _check(mathml: Element) -> None:
    """Raise if a command stands in the MathML as text, or if a part of a fraction or of an index is missing."""
    for element in mathml.iter():
        left_over = _LEFT_OVER.search(element.text or "")
        if left_over:
            raise FormulaError(f"{left_over[0]} is not known")
        name = element.tag.rpartition("}")[2]
        if len(element) != _PARTS.get(name, len(element)):
            raise FormulaError(f"a part of <{name}> is missing")


def _checked(formula: str, node: nodes.Node, *, block: bool) -> str:
    try:
        return to_mathml(formula, block=block)
    except FormulaError as error:
        logger.warning("formula %r: %s", formula, error, location=node, type="mathml")
        return ""


def visit_inline(translator: HTML5Translator, node: nodes.math) -> None:
    """Write a formula in the text."""
    translator.body.append(_checked(node.astext(), node, block=False))
    raise nodes.SkipNode


def visit_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula on a line of its own, with its number if it has one."""
    translator.body.append(translator.starttag(node, "div", CLASS="math"))
    if node["number"]:
        translator.body.append(f'<span class="eqno">({get_node_equation_number(translator, node)})</span>')
    translator.body.append(_checked(node.astext(), node, block=True))
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the renderer ``mathml``; ``html_math_renderer`` chooses it."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
