"""Corrupted forests give a result or a WeightFileError, never another exception, a hang or a flood of memory."""

import random
import re
import warnings

import numpy as np
import pytest

from pytmva_bnn.errors import WeightFileError, WeightFileWarning
from pytmva_bnn.model import load_string

NAMES = ("bdt_presel", "bdt_fisher2", "bdt_multi_plain", "bdt_grad", "bdt_reg_ada", "bdt_norm")
SEED, N_CORRUPTIONS, SECONDS = 20261117, 400, 2
VALUES = (
    *("0", "1", "2", "-1", "-99", "7.5", "1e400", "-1e308", "3.5e38", "3e38", "1e-320", "4294967296", "99999999999"),
    *("nan", "-nan", "inf", "nan(0x1)", "", " ", "+", "0x10", "1_0", "٣", "1e", "abc", "1,5", "&lt;", "l", "r", "s"),
)
WORDS = (b"Node", b"BinaryTree", b"Weights", b"Variable", b"Option", b"Class", b"Target", b"Unheard")
ATTRIBUTES = (b"pos", b"NCoef", b"IVar", b"nType", b"boostWeight", b"purity", b"fC0", b"X")


def flip_bits(data, rng):
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def delete_range(data, rng):
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.choice((1, 2, 5, 20, 200, 5000)) :]


def repeat_range(data, rng):
    start = rng.randrange(len(data))
    return data[: start + rng.choice((1, 5, 50, 500))] + data[start:]


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


def change_value(data, rng):
    return replaced(rb'(?<==")[^"]*(?=")', data, rng, rng.choice(VALUES).encode())


def change_everywhere(data, rng):
    """Change all occurrences of an attribute's value: counts that agree with each other but with nothing else."""
    found = rng.choice(re.findall(rb'\b\w+="[^"]*"', data) or [b"\n"])
    return data.replace(found, found.split(b"=")[0] + b'="%s"' % rng.choice(VALUES).encode())


def change_option(data, rng):
    return replaced(rb"(?<=>)[^<>\n]+(?=</Option>)", data, rng, rng.choice((*VALUES, "Grad", "AdaBoostR2")).encode())


def drop_attribute(data, rng):
    return replaced(rb' \w+="[^"]*"', data, rng, b"")


def rename_attribute(data, rng):
    return replaced(rb'(?<= )\w+(?==")', data, rng, rng.choice(ATTRIBUTES))


def rename_element(data, rng):
    return replaced(rb"(?<=<)[A-Z]\w+", data, rng, rng.choice(WORDS))


def drop_element(data, rng):
    return replaced(rb"(?s)<(\w+)\b[^<>/]*>.*?</\1>|<\w+\b[^<>]*/>", data, rng, b"")


def replaced(pattern, data, rng, new):
    found = list(re.finditer(pattern, data)) or list(re.finditer(rb"(?s).", data))
    place = rng.choice(found)
    return data[: place.start()] + new + data[place.end() :]


MUTATIONS = (
    *(flip_bits, delete_range, repeat_range, truncate, swap_lines, drop_line, change_value, change_value),
    *(change_everywhere, change_option, drop_attribute, rename_attribute, rename_element, drop_element),
)


def corrupted(data, rng):
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        data = rng.choice(MUTATIONS)(data or b"\n", rng)
    return data


def result_of(data, both_ways):
    """Return "read" or "refused"; all other endings raise."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", WeightFileWarning)
        try:
            model = load_string(data)
        except WeightFileError:
            return "refused"
        x = np.linspace(-2.0, 3.0, 6)[:, np.newaxis] * np.ones(len(model.variables))
        x[1] *= 1e30
        spectators = np.zeros((len(x), len(model.spectators)))
        by_numpy, compiled = both_ways(lambda: model.predict(x, spectators=spectators))
        np.testing.assert_array_equal(compiled, by_numpy)
        assert len(by_numpy) == len(x)
        model.to_xml()
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
def test_corrupted_files_are_read_or_refused(cpu_limit, method_case, both_ways):
    contents = [method_case(name).weights_text.encode() for name in NAMES]
    result_of(contents[0], both_ways)  # compiles
    results = {"read": 0, "refused": 0}
    for number in range(N_CORRUPTIONS):
        rng = random.Random(f"{SEED} {number}")  # noqa: S311 - not for secrets
        data = corrupted(rng.choice(contents), rng)
        try:
            with cpu_limit(SECONDS):
                results[result_of(data, both_ways)] += 1
        except Exception as error:
            raise AssertionError(f"corruption {number} of seed {SEED} is not refused properly") from error
    assert min(results.values()) > N_CORRUPTIONS / 20  # both ways are tried


def test_corrupted_text_files_are_read_or_refused(cpu_limit, method_case, both_ways):
    content = (method_case("bdt_text39").folder / "weights.txt").read_bytes()
    for number in range(100):
        rng = random.Random(f"{SEED} {number}")  # noqa: S311
        data = content
        for _ in range(rng.choice((1, 2))):
            change = rng.choice((flip_bits, delete_range, truncate, swap_lines, drop_line, None))
            new = rng.choice(VALUES).encode()
            data = change(data or b"\n", rng) if change else replaced(rb"(?<= )[-0-9.]+(?=\s)", data, rng, new)
        try:
            with cpu_limit(SECONDS), warnings.catch_warnings():
                warnings.simplefilter("ignore", WeightFileWarning)
                model = load_string(data)
                by_numpy, compiled = both_ways(lambda model=model: model.predict(np.zeros((3, len(model.variables)))))
                np.testing.assert_array_equal(compiled, by_numpy)
        except WeightFileError:
            pass
        except Exception as error:
            raise AssertionError(f"corruption {number} of seed {SEED} is not refused properly") from error
