"""A training as data: what the command line and a configuration file (JSON or YAML) can say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pytmva_bnn.cli.usage import UsageError, options_of
from pytmva_bnn.dataset import DataLoader
from pytmva_bnn.errors import InputError, suggestion
from pytmva_bnn.optional import optional
from pytmva_bnn.options import option_string
from pytmva_bnn.tmva_types import AnalysisType

_VARIABLE_KEYS = ("expression", "title", "unit", "type", "min", "max")


@dataclass(frozen=True)
class Tree:
    """Events of a class: ``file.root:tree``, the weight of all of them, and a cut that they must pass."""

    tree: str
    weight: float = 1.0
    cut: str = ""

    @classmethod
    def of(cls, given: Any) -> Tree:
        """Return the tree of a text, or of a mapping with the keys ``tree``, ``weight`` and ``cut``."""
        if isinstance(given, str):
            return cls(given)
        if isinstance(given, Mapping) and "tree" in given and set(given) <= {"tree", "weight", "cut"}:
            weight = _number(given.get("weight", 1.0), "weight of a tree")
            return cls(str(given["tree"]), weight, str(given.get("cut", "")))
        raise InputError(f"a tree is 'file.root:tree' or has the keys tree, weight and cut, got {given!r}")


@dataclass(frozen=True)
class Booked:
    """A method to be trained: ``BDT``, ``BDT:NTrees=400``, ``Forest=BDT:NTrees=400``."""

    method: str
    title: str = ""
    options: str = ""

    @classmethod
    def of(cls, given: Any) -> Booked:
        """Return the method of a text, or of a mapping with the keys ``method``, ``title`` and ``options``."""
        if isinstance(given, Mapping) and "method" in given and set(given) <= {"method", "title", "options"}:
            options = _options(given.get("options", ""), "options")
            return cls(str(given["method"]), str(given.get("title", "")), options)
        if not isinstance(given, str):
            raise InputError(
                f"a method is '[TITLE=]METHOD[:OPTIONS]' or has the keys method, title and options, got {given!r}"
            )
        head, _, options = given.partition(":")
        title, _, method = head.rpartition("=")
        return cls(method.strip(), title.strip(), options)


@dataclass(frozen=True)
class TrainJob:
    """All that a training needs; the names of the fields are the keys of a configuration file."""

    trees: Mapping[str, tuple[Tree, ...]] = field(default_factory=dict)
    variables: tuple[Mapping[str, Any], ...] = ()
    spectators: tuple[Mapping[str, Any], ...] = ()
    targets: tuple[Mapping[str, Any], ...] = ()
    weight: Mapping[str, str] = field(default_factory=dict)
    cut: str = ""
    prepare: str = ""
    methods: tuple[Booked, ...] = ()
    options: str = ""
    tmva_defaults: bool = False
    title: str = ""
    job: str = "job"
    dataset: str = "dataset"
    factory: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> TrainJob:
        """Return the job of a configuration; unknown keys are errors that name the nearest known one."""
        known = [one.name for one in fields(cls)]
        for key in given:
            if key not in known:
                hint = suggestion(str(key), known) or f"known: {', '.join(known)}"
                raise InputError(f"unknown key {key!r}; {hint}")
        trees = _mapping(given.get("trees", {}), "trees")
        weight = given.get("weight", {})
        if isinstance(weight, str | int | float):
            weight = dict.fromkeys(trees, str(weight))
        cut = given.get("cut", "")
        cuts = cut if isinstance(cut, Mapping) else {}
        job = cls(
            trees={str(name): tuple(Tree.of(one) for one in _list(value)) for name, value in trees.items()},
            variables=_variables(given.get("variables", ()), "variables"),
            spectators=_variables(given.get("spectators", ()), "spectators"),
            targets=_variables(given.get("targets", ()), "targets"),
            weight={str(name): str(value) for name, value in _mapping(weight, "weight").items()},
            cut="" if cuts else str(cut),
            methods=tuple(Booked.of(one) for one in _list(given.get("methods", ()))),
            tmva_defaults=bool(given.get("tmva_defaults", False)),
            **{key: _options(given.get(key, ""), key) for key in ("prepare", "options", "factory")},
            **{key: str(given[key]) for key in ("title", "job", "dataset") if key in given},
        )
        return job.with_cuts({str(name): str(one) for name, one in cuts.items()})

    def with_cuts(self, cuts: Mapping[str, str]) -> TrainJob:
        """Return the job with these cuts, by class, on all trees of the class."""
        for name in cuts:
            if name not in self.trees:
                hint = suggestion(name, self.trees) or f"there are {', '.join(self.trees)}"
                raise InputError(f"a cut is given for the class {name}, which has no events: {hint}")
        trees = {
            name: tuple(replace(tree, cut=cuts.get(name, tree.cut)) for tree in trees)
            for name, trees in self.trees.items()
        }
        return replace(self, trees=trees)

    @property
    def booked(self) -> tuple[Booked, ...]:
        """The methods, each with a title of its own; MLP if none is named."""
        named = self.methods or (Booked("MLP"),)
        if len(named) == 1:
            options = ":".join(part for part in (named[0].options, self.options) if part)
            return (Booked(named[0].method, self.title or named[0].title or named[0].method, options),)
        for what in ("options", "title"):
            if getattr(self, what):
                raise UsageError(
                    f"--{what} is for one method, and there are {len(named)}; write --method [TITLE=]METHOD[:OPTIONS]"
                )
        found: list[Booked] = []
        for one in named:
            title, others = one.title or one.method, [other.title for other in found]
            if one.title in others:
                raise UsageError(f"--method: there are two methods with the title {title}")
            numbered = (f"{title}{number or ''}" for number in (0, *range(2, len(named) + 1)))
            found.append(replace(one, title=next(name for name in numbered if name not in others)))
        return tuple(found)

    @property
    def configuration(self) -> str:
        """The name of the file that keeps the job."""
        booked = self.booked
        return f"{self.job}_{booked[0].title}.train.json" if len(booked) == 1 else f"{self.job}.train.json"

    def checked(self) -> TrainJob:
        """Return the job, or raise if something is missing without which no training can start."""
        if not self.variables:
            raise UsageError("no variables: name them with -v, or under 'variables' in the configuration")
        if not self.trees:
            raise UsageError("no events: give --signal and --background, --regression, or --class for each class")
        for what, name in (("job", self.job), *(("title", one.title) for one in self.booked)):
            if "/" in name:
                raise UsageError(f"the {what} is part of file names: it must not contain a '/', got {name!r}")
        if self.analysis == AnalysisType.REGRESSION and set(self.trees) != {"Regression"}:
            raise UsageError("--target needs --regression, and --regression cannot be combined with other classes")
        if self.analysis == AnalysisType.REGRESSION and not self.targets:
            raise UsageError("a regression needs a target: give --target")
        if self.analysis != AnalysisType.REGRESSION and len(self.trees) < 2:
            raise UsageError(f"only the class {next(iter(self.trees))} has events; a classification needs two")
        return self

    @property
    def analysis(self) -> AnalysisType:
        """The analysis type, as the Factory calls it."""
        if self.targets or "Regression" in self.trees:
            return AnalysisType.REGRESSION
        return AnalysisType.CLASSIFICATION if set(self.trees) == {"Signal", "Background"} else AnalysisType.MULTICLASS

    def as_mapping(self) -> dict[str, Any]:
        """Return what :meth:`of` makes the same job from."""
        return asdict(self)

    def loader(self) -> DataLoader:
        """Return a DataLoader with all that the job says about the events."""
        loader = DataLoader(self.dataset)
        for variable in self.variables:
            rest = {key: value for key, value in variable.items() if key != "expression"}
            loader.AddVariable(str(variable["expression"]), **rest)
        for add, quantities in ((loader.AddSpectator, self.spectators), (loader.AddTarget, self.targets)):
            for quantity in quantities:
                add(**{key: value for key, value in quantity.items() if key != "type"})
        for class_name, trees in self.trees.items():
            for tree in trees:
                loader.AddTree(tree.tree, class_name, tree.weight, tree.cut)
        for class_name, expression in self.weight.items():
            loader.SetWeightExpression(expression, class_name)
        with options_of("--prepare"):
            loader.PrepareTrainingAndTestTree(self.cut, self.prepare)
        return loader


def _variables(given: Any, what: str) -> tuple[Mapping[str, Any], ...]:
    found = []
    for one in _list(given):
        variable = {"expression": one} if isinstance(one, str) else one
        if not isinstance(variable, Mapping) or "expression" not in variable or set(variable) - set(_VARIABLE_KEYS):
            raise InputError(
                f"{what}: each is an expression or has the keys {', '.join(_VARIABLE_KEYS)} (all but the first may be "
                f"left out), got {one!r}"
            )
        found.append(dict(variable))
    return tuple(found)


def _options(given: Any, key: str) -> str:
    """Return an option string, which may also be given as a mapping of names to values.

    >>> _options({"NCycles": 500, "UseRegulator": True}, "options")
    'NCycles=500:UseRegulator'
    """
    if isinstance(given, str):
        return given
    return option_string("", {str(name): value for name, value in _mapping(given, key).items()})


def _mapping(given: Any, key: str) -> Mapping[Any, Any]:
    if not isinstance(given, Mapping):
        raise InputError(f"the key {key!r} must have names and values below it, got {given!r}")
    return given


def _list(given: Any) -> Sequence[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _number(given: Any, what: str) -> float:
    try:
        return float(given)
    except (TypeError, ValueError):
        raise InputError(f"the {what} must be a number, got {given!r}") from None


def read_configuration(path: str | Path) -> Mapping[str, Any]:
    """Return the content of a JSON or YAML file (``.yaml``, ``.yml``)."""
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".yaml", ".yml"):
        yaml = optional("yaml", "yaml", f"reading {path} (JSON needs no extra package)")
        try:
            content = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise InputError(f"{path} is not YAML: {error}") from error
    else:
        try:
            content = json.loads(text)
        except ValueError as error:
            raise InputError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, Mapping):
        raise InputError(f"{path} must have names and values, as in  title: MLP")
    return content
