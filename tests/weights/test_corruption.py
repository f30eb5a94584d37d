"""Damaged files give a result or a WeightFileError, never another exception, a hang or a flood of memory."""

from __future__ import annotations

import random
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from pytmva_bnn.errors import WeightFileError, WeightFileWarning
from pytmva_bnn.histograms import probability, rarity
from pytmva_bnn.model import Model, load_string

FIXTURES = Path(__file__).parents[2] / "xml_fixtures"
FILES = [
    *(
        FIXTURES / "cases" / name / "weights.xml"
        for name in (
            "bfgs_n",
            "bp_sigmoid",
            "bfgs_errors",
            "expressions",
            "mvapdfs",
            "multi_n",
            "multi_d_bp",
            "reg_n",
            "reg_two_targets",
            "trans_class",
            "trans_d",
            "trans_g",
            "trans_p",
            "trans_select",
        )
    ),
    *sorted((FIXTURES / "odd").glob("*.xml")),
    *sorted((FIXTURES / "odd").glob("*.txt")),
]
SEED = 20261116
N_CORRUPTIONS = 1000
SECONDS = 2
ODD_NUMBERS = (
    *(
        "0",
        "1",
        "2",
        "3",
        "-1",
        "-2",
        "7.5",
        "1e400",
        "-1e308",
        "3.5e38",
        "1e39",
        "3e38",
        "-3e38",
        "1e-300",
        "1e-320",
        "4294967296",
        "-2147483649",
    ),
    *(
        "99999999999",
        "nan",
        "-nan",
        "inf",
        "-inf",
        "nan(0x1)",
        "",
        " ",
        "+",
        "0x10",
        "1_0",
        "٣",
        "1e",
        "abc",
        "1,5",
        "&lt;",
    ),
)
WORDS = (
    *(
        "Layer",
        "Neuron",
        "Row",
        "Layout",
        "InverseHessian",
        "Transform",
        "Selection",
        "Input",
        "Class",
        "Ranges",
        "Range",
    ),
    *(
        "PDF",
        "Histogram",
        "HistogramBinning",
        "Matrix",
        "Statistics",
        "Eigenvectors",
        "Variables",
        "Variable",
        "Targets",
    ),
    *("Target", "Spectators", "Spectator", "MVAPdfs", "Weights", "Option", "Unheard"),
)
VALUES = (*WORDS, "Regression", "Multiclass", "Classification", "Gauss", "PCA", "Decorrelation", "Uniform", "Rearrange")


def flip_byte(data, rng):
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def delete_range(data, rng):
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.choice((1, 2, 5, 20, 200, 5000)) :]


def duplicate_range(data, rng):
    start = rng.randrange(len(data))
    stop = start + rng.choice((1, 5, 50, 500))
    return data[:stop] + data[start:]


def truncate(data, rng):
    return data[: rng.randrange(len(data))]


def swap_lines(data, rng):
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def drop_line(data, rng):
    lines = data.split(b"\n")
    del lines[rng.randrange(len(lines))]
    return b"\n".join(lines)


def repeat_line(data, rng):
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    return b"\n".join([*lines[:at], lines[at], *lines[at:]])


def change_digit(data, rng):
    return replace_match(rb"[0-9]", data, rng, lambda: b"%d" % rng.randrange(10))


def change_attribute(data, rng):
    return replace_match(rb'(?<==")[^"]*(?=")', data, rng, lambda: rng.choice((*ODD_NUMBERS, *VALUES)).encode())


def change_option(data, rng):
    return replace_match(
        rb"(?<=>)[^<>\n]+(?=</Option>)|(?<=\")[^\"\n]*(?=\" \[)",
        data,
        rng,
        lambda: rng.choice((*ODD_NUMBERS, "MSE", "CE", "ReLU", "a:b=c", "&", "<", "[0]", "!V", "~")).encode(),
    )


def change_number(data, rng):
    return replace_match(
        rb"(?<=[\s,\[])[-+0-9.]+(?:e[-+]\d+)?(?=[\s,\]])", data, rng, lambda: rng.choice(ODD_NUMBERS).encode()
    )


def rename_tag(data, rng):
    return replace_match(rb"(?<=<)[A-Z]\w+", data, rng, lambda: rng.choice(WORDS).encode())


def rename_attribute(data, rng):
    return replace_match(rb"(?<= )\w+(?==\")", data, rng, lambda: rng.choice((b"Index", b"Min", b"NBins", b"X")))


def drop_element(data, rng):
    return replace_match(rb"(?s)<(\w+)\b[^<>/]*>.*?</\1>|<\w+\b[^<>]*/>", data, rng, lambda: b"")


def change_everywhere(data, rng):
    """Change all occurrences of one attribute's value: counts that agree with each other but with nothing else."""
    found = rng.choice(re.findall(rb'\b\w+="[^"]*"', data) or [b"\n"])
    return data.replace(found, found.split(b"=")[0] + b'="%s"' % rng.choice(ODD_NUMBERS).encode())


def replace_match(pattern, data, rng, new):
    found = list(re.finditer(pattern, data))
    if not found:
        return flip_byte(data, rng)
    place = rng.choice(found)
    return data[: place.start()] + new() + data[place.end() :]


MUTATIONS = (
    *(flip_byte, delete_range, duplicate_range, truncate, swap_lines, drop_line, repeat_line, change_digit),
    *(change_attribute, change_attribute, change_option, change_number, change_number, rename_tag, rename_attribute),
    *(drop_element, change_everywhere),
)


def corrupted(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(data or b"\n", rng)
    return data


def use_wholly(model: Model) -> None:
    x = np.linspace(-2.0, 3.0, 4)[:, np.newaxis] * np.ones(len(model.variables))
    x[1] *= 1e30
    spectators = np.zeros((len(x), len(model.spectators)))
    value = model.predict(x, spectators=spectators)
    assert len(value) == len(x)
    if model.has_errors:
        model.predict(x, errors=True, quantiles=[0.2], spectators=spectators)
    if model.response_pdfs is not None:
        signal, background = model.response_pdfs
        probability(signal, background, value)
        rarity(background, value)


def result_of(data: bytes, *, strict: bool = False) -> str:
    """Return how loading and predicting ended: "read" or "refused"; all other endings raise."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", WeightFileWarning)
        try:
            use_wholly(load_string(data, strict=strict))
        except WeightFileError:
            return "refused"
    return "read"


@pytest.fixture
def memory_limit():
    """Let the test fail if a file makes the program ask for some GB."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.usefixtures("memory_limit")
def test_corrupted_files_are_read_or_refused(cpu_limit):
    contents = [path.read_bytes() for path in FILES]
    results = {"read": 0, "refused": 0}
    for number in range(N_CORRUPTIONS):
        rng = random.Random(f"{SEED} {number}")  # noqa: S311 - not for secrets
        data = corrupted(rng.choice(contents), rng)
        try:
            with cpu_limit(SECONDS):
                results[result_of(data, strict=number % 5 == 0)] += 1
        except Exception as error:
            raise AssertionError(f"corruption {number} of seed {SEED} is not refused properly") from error
    assert min(results.values()) > N_CORRUPTIONS / 20  # both ways are tried
