"""How a function uses its names, found before it is translated.

A float that is linked to a Reader must be memory, one that is only read need not be; a file that a Factory writes is a
path, one that gets histograms is an open file.  That is seen only from the whole function.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pytmva_bnn.port.parse import Node, operator_of, parts_of, text_of, walk


@dataclass
class Usage:
    """What is done with the names of a function, by C++ name."""

    addresses: set[str] = field(default_factory=set)
    """Variables whose address is kept by others."""
    elements: set[str] = field(default_factory=set)
    """Arrays whose memory, or that of an element, is kept by others."""
    factory_files: set[str] = field(default_factory=set)
    """Files given to a Factory."""
    linked_trees: set[str] = field(default_factory=set)
    """Trees whose branches are linked in so many places that only a dictionary can tell which they are."""
    negatives: set[str] = field(default_factory=set)
    """Variables that are changed by more than ``++`` and numbers that are written out: they may become negative."""
    calls: dict[str, set[str]] = field(default_factory=dict)
    """The methods called on each variable."""
    branch_runs: dict[int, list[Node]] = field(default_factory=dict)
    """The first SetBranchAddress of each run (its id) → all calls of the run."""


def usage_of(root: Node) -> Usage:
    """Look through a function (or a whole file)."""
    usage = Usage()
    branch_calls: dict[str, list[Node]] = {}
    assignments: dict[str, list[int]] = {}
    for node in walk(root):
        if node.type == "call_expression":
            name, receiver = called(node)
            if receiver:
                usage.calls.setdefault(receiver, set()).add(name)
            if name == "SetBranchAddress" and receiver:
                branch_calls.setdefault(receiver, []).append(node)
        elif node.type in ("assignment_expression", "init_declarator"):
            target = node.child_by_field_name("left") or node.child_by_field_name("declarator")
            if target is not None:
                assignments.setdefault(text_of(target).lstrip("*& "), []).append(node.start_byte)
        usage.factory_files |= _files_of_factory(node)
    explicit: set[int] = set()
    for tree, calls in branch_calls.items():
        runs = _runs(calls, assignments.get(tree, []))
        if runs is None:
            usage.linked_trees.add(tree)
            continue
        for run in runs:
            usage.branch_runs[run[0].id] = run
            explicit.update(call.id for call in run)
    _find_addresses(root, usage, explicit)
    usage.negatives = changed_names(root, also_upwards=False) | usage.addresses | usage.elements
    return usage


def called(call: Node) -> tuple[str, str]:
    """Return the name of the method that is called, and of the variable whose method it is (or "")."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "field_expression":
        return ("" if function is None else text_of(function)), ""
    receiver = function.child_by_field_name("argument")
    method = function.child_by_field_name("field")
    if receiver is None or method is None:
        return "", ""
    return text_of(method), text_of(receiver) if receiver.type == "identifier" else ""


def arguments_of(call: Node) -> list[Node]:
    """Return the arguments of a call or a construction."""
    arguments = call.child_by_field_name("arguments")
    return [] if arguments is None else parts_of(arguments)


def _files_of_factory(node: Node) -> set[str]:
    """Return the names given as arguments to the construction of a Factory."""
    if node.type == "new_expression":
        type_, arguments = node.child_by_field_name("type"), node.child_by_field_name("arguments")
    elif node.type == "declaration":
        type_ = node.child_by_field_name("type")
        declarator = node.child_by_field_name("declarator")
        arguments = None if declarator is None else declarator.child_by_field_name("value")
    elif node.type == "call_expression" and re.search(r"\bmake_(unique|shared)\s*<", text_of(node)):
        type_ = next((one for one in walk(node) if one.type == "type_descriptor"), None)
        arguments = node.child_by_field_name("arguments")
    else:
        return set()
    if type_ is None or arguments is None or text_of(type_).rpartition("::")[2] not in ("Factory", "CrossValidation"):
        return set()
    return {text_of(one).lstrip("&* ") for one in walk(arguments) if one.type in ("identifier", "pointer_expression")}


def _runs(calls: list[Node], assignments: list[int]) -> list[list[Node]] | None:
    """Return the calls in groups, each after one assignment of the tree and in one block; None if there are none."""
    runs: dict[int, list[Node]] = {}
    blocks: dict[int, set[int]] = {}
    for call in calls:
        statement = call.parent
        block = None if statement is None else statement.parent
        arguments = arguments_of(call)
        if statement is None or block is None or statement.type != "expression_statement" or len(arguments) < 2:
            return None
        if block.type not in ("compound_statement", "translation_unit") or arguments[0].type != "string_literal":
            return None
        epoch = sum(start < call.start_byte for start in assignments)
        runs.setdefault(epoch, []).append(call)
        blocks.setdefault(epoch, set()).add(block.id)
    return list(runs.values()) if all(len(found) == 1 for found in blocks.values()) else None


def _find_addresses(root: Node, usage: Usage, explicit: set[int]) -> None:
    for call in _calls(root):
        name, _ = called(call)
        if name == "Branch":
            for argument in arguments_of(call):
                if argument.type == "pointer_expression" and _inner(argument).type == "subscript_expression":
                    usage.elements.add(_root_name(_inner(argument)))
        if name != "SetBranchAddress":
            continue
        for argument in arguments_of(call)[1:]:
            if argument.type == "identifier":
                usage.elements.add(text_of(argument))
            elif argument.type == "binary_expression":  # array + i
                usage.elements.add(text_of(argument).partition("+")[0].strip())
            elif argument.type == "pointer_expression":
                inner = _inner(argument)
                if inner.type == "subscript_expression":
                    usage.elements.add(_root_name(inner))
                elif call.id not in explicit:
                    usage.addresses.add(text_of(inner))
    for node in walk(root):
        if node.type != "pointer_expression" or operator_of(node) != "&":
            continue
        inner = _inner(node)
        if inner.type == "subscript_expression":
            usage.elements.add(_root_name(inner))
        elif inner.type == "identifier" and not _is_for_tree(node):
            usage.addresses.add(text_of(inner))


def _calls(root: Node) -> Iterator[Node]:
    return (node for node in walk(root) if node.type == "call_expression")


def _is_for_tree(node: Node) -> bool:
    """Tell whether an address is an argument of SetBranchAddress or Branch, which are treated on their own."""
    arguments = node.parent
    call = None if arguments is None else arguments.parent
    return call is not None and call.type == "call_expression" and called(call)[0] in ("SetBranchAddress", "Branch")


def _inner(pointer: Node) -> Node:
    """Return what an address is taken of, without brackets around it."""
    inner = pointer.child_by_field_name("argument") or pointer
    while inner.type == "parenthesized_expression" and parts_of(inner):
        inner = parts_of(inner)[0]
    return inner


def _root_name(subscript: Node) -> str:
    """Return the name of the array of ``array[i][j]``."""
    found: Node | None = subscript
    while found is not None and found.type == "subscript_expression":
        found = found.child_by_field_name("argument")
    return "" if found is None else text_of(found)


def changed_names(root: Node, *, also_upwards: bool = True) -> set[str]:
    """Return the variables that are assigned, counted up, or have their address taken.

    ``also_upwards`` false: without those that are only counted up or get numbers that are written out.
    """
    names: set[str] = set()
    for node in walk(root):
        if not also_upwards and _is_upwards(node):
            continue
        if node.type == "assignment_expression":
            target = node.child_by_field_name("left")
        elif node.type == "update_expression" or (node.type == "pointer_expression" and operator_of(node) == "&"):
            target = node.child_by_field_name("argument")
        elif node.type == "call_expression" and called(node)[0] in _GROWING:
            names.add(called(node)[1])
            continue
        else:
            continue
        if target is not None:
            names.add(text_of(target))
    return names


def _is_upwards(node: Node) -> bool:
    """Tell whether a change leaves an integer that is not negative so."""
    if node.type == "assignment_expression":
        value = node.child_by_field_name("right")
        is_number = value is not None and value.type == "number_literal" and text_of(value)[0] not in "+-"
        return is_number and operator_of(node) in ("=", "+=", "*=", "/=", "%=")
    return node.type == "update_expression" and "++" in operator_of(node)


_GROWING = frozenset({"push_back", "emplace_back", "erase", "insert", "clear", "resize", "pop_back", "Add"})


def names_in(node: Node) -> set[str]:
    """Return all identifiers of an expression."""
    return {text_of(one) for one in walk(node) if one.type == "identifier"}
