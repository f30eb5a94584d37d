"""Methods of std::string and TString on Python's text, which cannot be changed: those that change it assign anew."""

from __future__ import annotations

from pytmva_bnn.port.context import ADD, ATOM, COMPARE, NOT, UNARY, Context, Expr, Untranslatable
from pytmva_bnn.port.cpp_types import BOOL, CHAR, INT, TEXT, UINT64, UNKNOWN
from pytmva_bnn.port.expressions import value
from pytmva_bnn.port.names import RESULTS
from pytmva_bnn.port.operators import as_text
from pytmva_bnn.port.parse import Node
from pytmva_bnn.port.places import cell_of

_SAME = ("c_str", "Data", "data", "View", "str", "AsString", "String", "GetString", "begin_text")
_NPOS = ("find", "rfind", "find_first_of", "find_last_of", "find_first_not_of", "find_last_not_of")


def method(ctx: Context, owner: Expr, name: str, nodes: list[Node]) -> Expr:
    """Return a call that leaves the text as it is."""
    text = owner.at(ATOM)
    if name in _SAME:
        return owner
    arguments = [value(ctx, one) for one in nodes]
    shown = [one.text for one in arguments]
    match name, len(shown):
        case (("size" | "length" | "Length" | "Sizeof"), 0):
            return Expr(f"len({owner.text})", UINT64 if name in ("size", "length") else INT)
        case "IsWhitespace", 0:
            return Expr(f'not {text}.strip(" ")', BOOL, NOT)
        case (("empty" | "IsNull"), 0):
            return Expr(f"not {owner.at(NOT)}", BOOL, NOT)
        case "at", 1:
            return Expr(f"ROOT.std.string({owner.text}).at({shown[0]})", CHAR)
        case "front", 0:
            return Expr(f"{text}[0]", CHAR)
        case "back", 0:
            return Expr(f"{text}[-1]", CHAR)
        case "Contains", 1:
            return Expr(f"{as_text(ctx, arguments[0]).at(COMPARE + 1)} in {owner.at(COMPARE + 1)}", BOOL, COMPARE)
        case (("BeginsWith" | "StartsWith" | "starts_with"), 1):
            return Expr(f"{text}.startswith({shown[0]})", BOOL)
        case (("EndsWith" | "ends_with"), 1):
            return Expr(f"{text}.endswith({shown[0]})", BOOL)
        case "First", 1 if arguments[0].type.is_char:
            return Expr(f"{text}.find({shown[0]})", INT)
        case "Last", 1:
            return Expr(f"{text}.rfind({shown[0]})", INT)
        case "Index", (1 | 2):
            return Expr(f"{text}.find({', '.join(shown)})", INT)
        case "substr", 0:
            return owner
        case "substr", 1:
            return Expr(f"{ctx.use('substr')}({owner.text}, {shown[0]})", TEXT)
        case "substr", 2:
            if arguments[0].literal == 0:
                return Expr(f"{text}[:{shown[1]}]", TEXT)
            return Expr(f"{ctx.use('substr')}({owner.text}, {shown[0]}, {shown[1]})", TEXT)
        case "compare", 3:
            stop = f"{arguments[0].at(ADD)} + {arguments[1].at(ADD + 1)}"
            return Expr(f"{ctx.use('compare')}({text}[{shown[0]}:{stop}], {shown[2]})", INT)
        case (("compare" | "CompareTo"), 1):
            return Expr(f"{ctx.use('compare')}({owner.text}, {shown[0]})", INT)
        case "Tokenize", (2 | 3):
            texts = [cell_of(ctx, one) for one in nodes[:2]] + shown[2:]
            return Expr(f"ROOT.TString({owner.text}).Tokenize({', '.join(texts)})", BOOL)
        case (("begin" | "end" | "rbegin" | "rend" | "cbegin" | "cend"), 0):
            raise Untranslatable("iterators of a text are not translated here")
    if name in _NPOS:
        return Expr(f"{ctx.use(name)}({', '.join([owner.text, *shown])})", UINT64)
    return Expr(f"ROOT.TString({owner.text}).{name}({', '.join(shown)})", RESULTS.get(name, UNKNOWN))


def changed(ctx: Context, owner: Expr, name: str, nodes: list[Node]) -> Expr | None:
    """Return the new text after a call that changes it, or None if the call changes nothing."""
    if name in ("ReadLine", "ReadFile", "swap", "Swap"):
        raise Untranslatable(f"{name} of a text is not translated here")
    arguments = [value(ctx, one) for one in nodes]
    shown = [as_text(ctx, one).text if not one.type.is_integer else one.text for one in arguments]
    text, first = owner.at(ATOM), arguments[0] if arguments else Expr("")
    n = len(arguments)
    match name, n:
        case (("append" | "Append" | "push_back"), 1):
            return Expr(f"{owner.at(ADD)} + {as_text(ctx, first).at(ADD + 1)}", TEXT, ADD)
        case (("append" | "Append" | "Prepend"), 2):
            if arguments[1].type.is_integer and first.type.is_text:
                piece = f"{first.at(ATOM)}[:{arguments[1].text}]"
            else:
                count, char = (arguments[1], first) if first.type.is_char else (first, arguments[1])
                piece = f"{char.text} * {count.at(UNARY)}"
            return Expr(
                f"{piece} + {owner.at(ADD + 1)}" if name == "Prepend" else f"{owner.at(ADD)} + {piece}", TEXT, ADD
            )
        case "append", 3:
            start = arguments[1].at(ADD)
            return Expr(f"{owner.at(ADD)} + {first.at(ATOM)}[{start}:{start} + {arguments[2].at(ADD + 1)}]", TEXT, ADD)
        case "Prepend", 1:
            return Expr(f"{as_text(ctx, first).at(ADD)} + {owner.at(ADD + 1)}", TEXT, ADD)
        case (("pop_back" | "Chop"), 0):
            return Expr(f"{text}[:-1]", TEXT)
        case (("clear" | "Clear"), 0):
            return Expr('""', TEXT)
        case "assign", 1:
            return Expr(shown[0], TEXT)
        case (("insert" | "Insert"), 2):
            return Expr(
                f"{text}[:{shown[0]}] + {as_text(ctx, arguments[1]).at(ADD + 1)} + {text}[{shown[0]}:]", TEXT, ADD
            )
        case (("erase" | "Remove"), 1):
            return Expr(f"{text}[:{shown[0]}]", TEXT)
        case (("erase" | "Remove"), 2):
            return Expr(f"{text}[:{shown[0]}] + {text}[{first.at(ADD)} + {arguments[1].at(ADD + 1)}:]", TEXT, ADD)
        case (("replace" | "Replace"), 3):
            end = f"{text}[{first.at(ADD)} + {arguments[1].at(ADD + 1)}:]"
            return Expr(f"{text}[:{shown[0]}] + {as_text(ctx, arguments[2]).at(ADD + 1)} + {end}", TEXT, ADD)
        case "ReplaceAll", 2:
            return Expr(f"{text}.replace({shown[0]}, {shown[1]})", TEXT)
        case "ToLower", 0:
            return Expr(f"{text}.lower()", TEXT)
        case "ToUpper", 0:
            return Expr(f"{text}.upper()", TEXT)
        case "Form", _:
            return Expr(f"ROOT.Form({', '.join(shown)})", TEXT)
        case (("resize" | "Resize"), 1):
            return Expr(
                f"{text}[:{shown[0]}].ljust({shown[0]}, {'chr(0)' if name == 'resize' else repr(' ')})".replace(
                    "'", '"'
                ),
                TEXT,
            )
        case "resize", 2:
            return Expr(f"{text}[:{shown[0]}].ljust({shown[0]}, {shown[1]})", TEXT)
    return None
