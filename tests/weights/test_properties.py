"""Whatever a weight file holds, it is the same after writing and reading."""

from __future__ import annotations

import dataclasses
import re
from itertools import pairwise

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pytmva_bnn.errors import WeightFileError
from pytmva_bnn.events.variables import VariableRecord
from pytmva_bnn.histograms import PDFRecord, from_contents
from pytmva_bnn.methods import Reading, method_of
from pytmva_bnn.methods.mlp.fitted import FittedMLP
from pytmva_bnn.model import Model
from pytmva_bnn.options import OptionRecord
from pytmva_bnn.transform import (
    Decorrelation,
    Gaussianisation,
    Normalisation,
    PrincipalComponents,
    Quantity,
    Rearrangement,
    Selection,
)
from pytmva_bnn.weights import Dialect, Source, WeightFile, read_source, to_xml, write_xml
from pytmva_bnn.weights.records import UnknownElement

LARGEST = float(np.finfo(np.float32).max)
NASTY = st.one_of(
    st.text(st.sampled_from("ab\"'<>&;/=:-+ \u00e9Δ日😀\u2028\u00a0]"), max_size=8),
    st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=8),
)
OPTION_TEXTS = NASTY.filter(lambda t: t == t.lstrip() and not re.search(r"&(amp|lt|gt|quot|apos);|</?Option", t))


def short(form):
    """Return numbers that the format keeps."""
    return st.floats(-1e30, 1e30).map(lambda x: float(form % float(form % x)))


def matrix(rows, columns, elements):
    return st.lists(elements, min_size=rows * columns, max_size=rows * columns).map(
        lambda numbers: np.array(numbers, dtype=np.float64).reshape(rows, columns)
    )


def records(low, high):
    number = short("%.8e")
    one = st.builds(
        VariableRecord, NASTY, NASTY, NASTY, NASTY, NASTY, st.sampled_from(["F", "I", "F[]", "m"]), number, number
    )
    return st.lists(one, min_size=low, max_size=high).map(tuple)


@st.composite
def histograms(draw, positive=False):
    n = draw(st.integers(3 if positive else 1, 6))
    number = st.floats(0.25, 8.0, width=32) if positive else st.floats(-LARGEST, LARGEST, width=32)
    dtype = np.float64 if positive else np.float32  # as they are read: densities of the response, and of G and U
    contents = np.array(draw(st.lists(number, min_size=n, max_size=n)), dtype=np.float32).astype(dtype)
    contents = np.array([float(f"{c:.8e}") for c in contents.tolist()], dtype=dtype)
    edges = sorted(draw(st.lists(short("%.8e"), min_size=n + 1, max_size=n + 1, unique=True)))
    equal = positive or draw(st.booleans())
    low, high = (0.0, 1.0) if positive else (edges[0], edges[-1])
    return from_contents(contents, low, high, None if equal else np.array(edges), name=draw(NASTY))


def pdfs(positive=False):
    passes, code = st.integers(-1, 2), st.integers(0, 3)
    factor = st.floats(-1e300, 1e300)
    return st.builds(PDFRecord, NASTY, passes, passes, code, code, code, code, factor, histograms(positive))


@st.composite
def steps(draw, quantities):
    inputs = tuple(draw(st.lists(st.sampled_from(quantities), min_size=1, max_size=3)))
    selection = Selection(inputs, tuple(draw(st.permutations(inputs))))
    n, n_sets = len(inputs), draw(st.sampled_from([1, 3]))
    kind = draw(st.sampled_from("NSDPGUR"))
    if kind in "NS":
        limits = [draw(matrix(n_sets, n, st.floats(-LARGEST, LARGEST, width=32))).astype(np.float32) for _ in range(2)]
        return Normalisation(selection, limits[0], limits[1], kind == "N")
    if kind == "D":
        return Decorrelation(selection, tuple(draw(matrix(n, n, short("%.15e"))) for _ in range(n_sets)))
    if kind == "P":
        means = tuple(draw(matrix(1, n, short("%.8e")))[0] for _ in range(n_sets))
        return PrincipalComponents(selection, means, tuple(draw(matrix(n, n, short("%.8e"))) for _ in range(n_sets)))
    if kind == "R":
        return Rearrangement(selection)
    sets = st.tuples(*[pdfs()] * n_sets)
    return Gaussianisation(selection, draw(st.tuples(*[sets] * n)), kind == "U")


@st.composite
def weight_files(draw):
    analysis = draw(st.sampled_from(["Classification", "Regression", "Multiclass"]))
    variables, spectators = draw(records(1, 3)), draw(records(0, 2))
    targets = draw(records(1, 2)) if analysis == "Regression" else ()
    classes = tuple(draw(st.lists(NASTY, min_size=2 if analysis == "Multiclass" else 1, max_size=3)))
    n_outputs = {"Classification": 1, "Regression": len(targets), "Multiclass": len(classes)}[analysis]
    layers = [len(variables), *draw(st.lists(st.integers(0, 3), max_size=2)), n_outputs]
    weights = st.floats(-LARGEST, LARGEST)
    matrices = tuple(draw(matrix(a + 1, b, weights)) for a, b in pairwise(layers))
    n_weights = sum(m.size for m in matrices)
    hessian = np.random.default_rng(draw(st.integers(0, 9))).normal(size=(n_weights, n_weights))
    kinds = (("Variable", variables), ("Target", targets), ("Spectator", spectators))
    quantities = [Quantity(kind, r.label, r.expression) for kind, rs in kinds for r in rs]
    chain = tuple(draw(st.lists(steps(quantities), max_size=2)))
    option = st.builds(OptionRecord, NASTY, OPTION_TEXTS, st.booleans(), st.none() | st.integers(0, 3))
    places = st.sampled_from([None, "GeneralInfo", "Options", "Variables", "Weights"])
    unknown = st.builds(
        UnknownElement, st.just("More"), st.sampled_from(["<More/>", '<More a="1">\n <b/>x\n</More>']), places
    )
    file = WeightFile(
        kind="MLP",
        title=draw(NASTY),
        info=(*draw(st.lists(st.tuples(NASTY, NASTY), max_size=2)), ("AnalysisType", analysis)),
        options=tuple(draw(st.lists(option, max_size=4))),
        variables=variables,
        spectators=spectators,
        classes=classes,
        targets=targets,
        transformations=chain,
        mva_pdfs=draw(st.just(()) | st.tuples(pdfs(positive=True), pdfs(positive=True))),
        n_transformations=len(chain) + draw(st.integers(0, 1)),
        dialect=Dialect(
            offset_attribute=draw(st.booleans()),
            short_numbers=draw(st.booleans()),
            newline=draw(st.sampled_from(["\n", "\r\n"])),
        ),
        unknown=tuple(draw(st.lists(unknown, max_size=2))),
    )
    fitted = FittedMLP(
        matrices,
        "sigmoid",
        "linear",
        inverse_hessians=draw(st.sampled_from([(), (hessian,)])),
        is_multiclass=analysis == "Multiclass",
        layout_element=draw(st.booleans()),
    )
    return file, fitted


def content(value):
    """Return the value as something that == compares wholly; how it is laid out in the file is left out."""
    if isinstance(value, Dialect):
        return value.newline
    if isinstance(value, WeightFile):
        order = sorted(value.unknown, key=lambda u: u.after or "")  # sorted() keeps the order of equal ones
        return [content(getattr(value, f.name)) for f in dataclasses.fields(value) if f.name != "unknown"], order
    if dataclasses.is_dataclass(value):
        return type(value).__name__, [content(getattr(value, f.name)) for f in dataclasses.fields(value)]
    if isinstance(value, np.ndarray):
        return value.dtype.name, value.shape, value.tolist()
    if isinstance(value, tuple):
        return [content(one) for one in value]
    return value


def text_of(file, fitted):
    return to_xml(file, fitted.write(file.dialect))


def read_wholly(source):
    """Return envelope and network; the options, which have any names and values here, are left to the defaults."""
    method = method_of("MLP")
    file, section = read_source(source, lambda _: method.stream())
    return file, method.read(section, dataclasses.replace(file, options=()), Reading())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(weight_files())
def test_written_and_read_it_is_the_same(written):
    text = text_of(*written)
    again = read_wholly(Source(text=text))
    assert content(again) == content(written)
    assert text_of(*again) == text


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(weight_files())
def test_file_on_disk_has_the_bytes_of_the_text(tmp_path_factory, written):
    file, fitted = written
    path = tmp_path_factory.mktemp("w") / "w.xml"
    for name in ("w.xml", "w.xml.gz"):
        write_xml(file, fitted.write(file.dialect), path.with_name(name))
        assert text_of(*read_wholly(Source(path.with_name(name)))) == text_of(file, fitted)
    assert path.read_bytes() == text_of(file, fitted).encode()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(weight_files(), st.booleans())
def test_any_content_predicts_or_is_refused(written, strict):
    file, fitted = written
    try:
        model = Model(file, fitted, strict=strict)
    except WeightFileError:
        return
    x = np.array([0.0, 1.0, -1e38, np.inf])[:, np.newaxis] * np.ones(len(file.variables))
    value = model.predict(x, spectators=np.zeros((len(x), len(file.spectators))))
    assert len(value) == len(x)
    if model.has_errors:
        with np.errstate(all="ignore"):  # inf - inf at the ends of error bars
            model.predict(x, errors=True, spectators=np.zeros((len(x), len(file.spectators))))
