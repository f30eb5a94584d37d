"""Say what is wrong with a token that no option took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytmva_bnn.errors import suggestion
from pytmva_bnn.options.declaration import Option, OptionType

if TYPE_CHECKING:
    from collections.abc import Sequence


CREATE_PDFS = "CreateMVAPdfs"
#: names of ROOT 5.1x (TMVA 3), as macros still have them, and what to write now if the option on the left is there
FORMER_NAMES = {
    "nsigtrain": ("nTrain_Signal", "nTrain_Signal"),
    "nbkgtrain": ("nTrain_Background", "nTrain_Background"),
    "nsigtest": ("nTest_Signal", "nTest_Signal"),
    "nbkgtest": ("nTest_Background", "nTest_Background"),
    "normalise": ("VarTransform", "VarTransform=N (and leave !Normalise out)"),
    "normalize": ("VarTransform", "VarTransform=N (and leave !Normalize out)"),
}

NO_SUCH_OPTION = "there is no option of that name"


def explain_unused(token: str, declared: Sequence[Option]) -> str:
    """Return one line on why ``token`` was not understood and what to write instead."""
    name, equals, _ = token.partition("=")
    word = name.strip().removeprefix("!").strip()
    if not word:
        return f"'{token}': it has no name; remove it"
    option = next((option for option in declared if option.name.lower() == word.lower()), None)
    if option is not None:
        return _explain_known(token, option)
    if not equals:
        for option in declared:
            canonical = option.canonical(word)
            if canonical is not None:
                return f"'{token}': blanks are not allowed around a value; write {option.name}={canonical}"
    names = [option.name for option in declared]
    successor, advice = FORMER_NAMES.get(word.lower(), ("", ""))
    if successor in names:
        return f"{word}: an option of older TMVA versions; write {advice}"
    if "mvapdf" in word.lower() and [known for known in names if "MVAPdf" in known] == [CREATE_PDFS]:
        return f"{word}: options of the response's PDFs need {CREATE_PDFS}; add it"
    loose = [] if equals else [value for option in declared for value in option.allowed]
    return f"{word}: {suggestion(word, [*loose, *names]) or NO_SUCH_OPTION}"


def _explain_known(token: str, option: Option) -> str:
    name, equals, value = token.partition("=")
    example = f"{option.name}={value or f'<{option.type.value}>'}"
    bare = name.strip()
    if equals and bare.startswith("!"):
        return f"'{token}': '!' cannot be combined with a value; write {example}"
    if not equals and option.type is not OptionType.BOOL:
        return f"{bare}: needs a value; write {example}"
    sign = "!" if bare.startswith("!") else ""
    return f"'{token}': blanks are not allowed around a name; write {example if equals else sign + option.name}"
