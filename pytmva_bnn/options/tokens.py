"""The raw option string: its tokens, and the two words that act before any option is declared."""

from __future__ import annotations

MARK = "~"


def split_tokens(text: str) -> list[str]:
    """Return the tokens of an option string; empty ones are dropped, blanks are kept.

    >>> split_tokens(":H::!V: NCycles=5:")
    ['H', '!V', ' NCycles=5']
    """
    return [token for token in text.split(":") if token]


def asks_for_verbose(text: str) -> bool:
    """Tell whether a token is exactly ``V`` or ``Verbose``: TMVA's logger then is verbose before parsing.

    >>> asks_for_verbose("H: v :NCycles=5"), asks_for_verbose("!V"), asks_for_verbose("V=True")
    (True, False, False)
    """
    return any(token in ("v", "verbose") for token in split_tokens(_squeeze(text)))


def asks_for_silence(text: str) -> bool:
    """Tell whether the string makes a Factory or Reader silent.

    >>> asks_for_silence("!V:Silent"), asks_for_silence("!Silent"), asks_for_silence("Silent=False")
    (True, False, False)
    """
    squeezed = _squeeze(text)
    # TMVA: a search in the whole string, not in the tokens, so that Transformations=silent counts as well
    return "silent" in squeezed and "silent=f" not in squeezed and ("!silent" not in squeezed or "silent=t" in squeezed)


def _squeeze(text: str) -> str:
    return "".join(text.split()).lower()
