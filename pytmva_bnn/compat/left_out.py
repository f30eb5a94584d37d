"""Methods that do not exist here, or are only read: an error, or, if the user wants so, left out with a warning."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pytmva_bnn import compat
from pytmva_bnn.compat.messages import LOGGER
from pytmva_bnn.compat.null_pointer import NullPointer
from pytmva_bnn.compat.session import SESSION
from pytmva_bnn.errors import InputError
from pytmva_bnn.methods import instead_of, kinds
from pytmva_bnn.tmva_types import EMVA


class LeftOutMethod(NullPointer):
    """What BookMethod gives for a method that is left out: false, equal to None, and its calls only warn.

    >>> method = LeftOutMethod("PyKeras", "Net")
    >>> bool(method), method == None, method.SetupKerasModel("model.h5")
    (False, True, <Net (PyKeras): left out>)
    """

    def __init__(self, kind: str, title: str) -> None:
        super().__init__(f"the method {title} ({kind}) is left out")
        self._kind = kind
        self._title = title

    def __getattr__(self, name: str) -> Callable[..., Any]:  # type: ignore[override]
        if name.startswith("_"):
            raise AttributeError(name)

        def nothing(*_: Any, **__: Any) -> LeftOutMethod:
            LOGGER.warning("%s.%s has no effect: the %s does not exist here", self._title, name, self._kind)
            return self

        return nothing

    def __repr__(self) -> str:
        return f"<{self._title} ({self._kind}): left out>"


class NothingTrainedError(InputError, RuntimeError):
    """No booked method could be trained."""

    @classmethod
    def of(cls, titles: Iterable[str]) -> NothingTrainedError:
        """Return the error for a macro whose methods, given by their titles, are all left out or not trained."""
        return cls(
            f"no method is trained: of {', '.join(titles)} each is left out or has too few events; "
            f"book one of {', '.join(kinds(trainable=True))}"
        )


def method_name(kind: Any) -> str:
    """Return the name of a method's type."""
    if isinstance(kind, EMVA):
        return kind.method_name
    return EMVA(kind).method_name if isinstance(kind, int) else str(kind)


def is_left_out(booking: tuple[Any, ...]) -> bool:
    """Tell whether a method, given by ``(type, title, …)``, is to be left out; raise if it can be neither."""
    kind = method_name(booking[0]) if booking else ""
    instead = instead_of(kind)
    if not booking or (kind in kinds() and not instead):
        return False
    title = str(booking[1]) if len(booking) > 1 else kind
    problem = "this method cannot be trained here" if kind in kinds() else "this method does not exist here"
    if compat.skip_unknown_methods or SESSION.left_out is not None:
        LOGGER.warning("BookMethod(%s, %r): %s and is left out", kind, title, problem)
        if SESSION.left_out is not None and not compat.skip_unknown_methods:
            SESSION.left_out.append(f"{title} ({kind})")
        return True
    raise InputError(
        f"BookMethod({kind}, {title!r}): {problem}; available: {', '.join(kinds(trainable=True))}. "
        f"{instead[:1].upper() + instead[1:]}{'. ' if instead else ''}To skip such methods set "
        f"pytmva_bnn.compat.skip_unknown_methods = True or {compat.SKIP_VARIABLES[0]}=1."
    )
