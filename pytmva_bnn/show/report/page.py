"""The page: parts with a list of links to them, and the few rules of how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytmva_bnn._version import __version__
from pytmva_bnn.show.report.html import anchor, element, text

STYLE_SHEET = """
:root { --ink: #1c1c1c; --paper: #ffffff; --faint: #666; --line: #d8d8d8; --shade: #f5f6f8; --link: #1f6fb5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181c; --faint: #a0a0a0; --line: #3a3d44; --shade: #22252b; --link: #7db8ee; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 100rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .2rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .6rem;
  border-bottom: 1px solid var(--line); padding-bottom: .2rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
.subtitle, figcaption, .note, footer { color: var(--faint); font-size: .87rem; }
.note { border-left: 3px solid var(--line); padding-left: .7rem; margin: .5rem 0; }
.warning { border-left: 3px solid #bd1f01; padding-left: .7rem; margin: .5rem 0; font-weight: 600; }
nav { margin: .8rem 0 0; display: flex; flex-wrap: wrap; gap: .2rem 1rem; } a { color: var(--link); }
table { border-collapse: collapse; margin: .5rem 0 1rem; display: block; overflow-x: auto; max-width: 100%;
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--faint); font-size: .87rem; padding-bottom: .2rem; }
th, td { text-align: left; padding: .22rem .7rem; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { background: var(--shade); font-weight: 600; } .pairs th { font-weight: 600; }
td { overflow-wrap: break-word; } td.number { text-align: right; white-space: nowrap; }
.pairs td { text-align: left; }
.plots { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 33rem), 1fr)); gap: 1rem;
  align-items: start; margin: .5rem 0; } .plots .wide { grid-column: 1 / -1; }
.tables { columns: 2 33rem; column-gap: 1rem; } .tables > * { break-inside: avoid; } .tables details { margin-top: 0; }
figure { margin: 0; max-width: 100%; } figcaption { max-width: 40rem; padding: .2rem .1rem; }
img { display: block; max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line);
  border-radius: 4px; }
details { margin: .5rem 0; } summary { cursor: pointer; color: var(--link); margin-bottom: .5rem; }
.method { border: 1px solid var(--line); border-radius: 4px; padding: .5rem .8rem 0; }
.method > summary { font-weight: 600; } .method > summary::marker { color: var(--faint); }
pre { background: var(--shade); padding: .7rem; overflow-x: auto; font-size: .8rem; line-height: 1.35; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .5rem; }
@media print { body { max-width: none; padding: 0; font-size: 11px; } nav { display: none; }
  .tables { columns: auto; } details::details-content { content-visibility: visible; }
  figure, tr { break-inside: avoid; } h2 { break-after: avoid; } img { border: none; } }
"""


@dataclass(frozen=True)
class Part:
    """A part of the page: a title and its HTML."""

    title: str
    inside: str


def page(title: str, subtitle: str, parts: Sequence[Part]) -> str:
    """Return a whole page that needs nothing from anywhere else."""
    names = _unique([anchor(part.title) for part in parts])
    links = "".join(element("a", text(part.title), href=f"#{name}") for part, name in zip(parts, names, strict=True))
    body = "".join(
        element("section", element("h2", text(part.title)) + part.inside, id=name)
        for part, name in zip(parts, names, strict=True)
    )
    head = element("header", element("h1", text(title)) + element("p", text(subtitle), class_="subtitle"))
    foot = element("footer", text(f"pytmva-bnn {__version__}"))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        # browsers ask for an icon of a page that does not say it has none
        '<link rel="icon" href="data:,">'
        f"<title>{text(title)}</title><style>{STYLE_SHEET}</style></head>"
        f"<body>{head}{element('nav', links)}<main>{body}</main>{foot}</body></html>\n"
    )


def _unique(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    made = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        made.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return made
