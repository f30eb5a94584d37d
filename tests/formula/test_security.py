"""No text runs code: everything that is not a formula is refused before anything is evaluated."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import pytmva_bnn.formula
from pytmva_bnn.formula import FormulaError, evaluate

ATTACKS = [
    'system("touch MARK")',
    '__import__("os").system("touch MARK")',
    'gSystem->Exec("touch MARK")',
    "gROOT->GetVersion()",
    "gSystem",
    "exec(x)",
    "eval(x)",
    "open(x)",
    "x.tofile(1)",
    "x.__class__()",
    "x.__class__",
    "x.__class__.__mro__[1]",
    "(lambda:1)()",
    "[y for y in x]",
    "f'{x}'",
    "x if x else x",
    "x := 1",
    "x.T",
    "x.dtype",
    "np.sin(x)",
    "{1:2}",
    "x\\n",
    "`ls`",
    "$(ls)",
    "TPython::Exec(x)",
    "new TFile(x)",
    "exit()",
    "exit(0)",
    "std::system(x)",
    "1;system(x)*0+nope(",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_refused(attack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if ";" in attack:  # TTreeFormula: what follows is not looked at
        assert evaluate(attack, {"x": np.ones(1)}).tolist() == [1.0]
    else:
        with pytest.raises(FormulaError):
            evaluate(attack, {"x": np.ones(1)})
    assert list(tmp_path.iterdir()) == []


def test_the_sources_call_nothing_that_runs_text() -> None:
    forbidden = {"eval", "exec", "compile", "__import__", "system", "popen", "numexpr", "literal_eval"}
    for source in Path(pytmva_bnn.formula.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
                is_regular_expression = ast.unparse(node.func) == "re.compile"
                assert name not in forbidden or is_regular_expression, f"{source.name} calls {name}"
