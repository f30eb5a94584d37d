"""TMVA's tables as lines of text, without the logger's prefix; the spaces at the ends of lines are TMVA's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from pytmva_bnn.dataset.statistics import matrix_table
from pytmva_bnn.evaluation.correlations import overlap_matrix, response_correlations
from pytmva_bnn.evaluation.inputs import VariableStatistics
from pytmva_bnn.evaluation.multiclass import BACKGROUND_EFFICIENCIES
from pytmva_bnn.evaluation.regression import RegressionNumbers
from pytmva_bnn.evaluation.results import BinaryResult, MulticlassResult, RegressionResult
from pytmva_bnn.methods.ranking import Ranking

_BINARY_RULE = "-" * 115
_REGRESSION_RULE = "-" * 98
_MULTICLASS_RULE = "-" * 103

_REGRESSION_EXPLANATION = (
    '("Bias" quotes the mean deviation of the regression from true target.',
    ' "MutInf" is the "Mutual Information" between regression and target.',
    ' Indicated by "_T" are the corresponding "truncated" quantities ob-',
    " tained when removing events deviating more than 2sigma from average.)",
)
_ONE_VS_REST_EXPLANATION = (
    "Considers the listed class as signal and the other classes",
    "as background, reporting the resulting binary performance.",
    "A score of 0.820 (0.850) means 0.820 was acheived on the",
    "test set and 0.850 on the training set.",
)
_CONFUSION_EXPLANATION = (
    "Does a binary comparison between the two classes given by a ",
    "particular row-column combination. In each case, the class ",
    "given by the row is considered signal while the class given ",
    "by the column index is considered background.",
)


def binary_tables(dataset: str, results: Sequence[BinaryResult]) -> list[str]:
    """Return the two final tables of classification, methods ranked by their area."""
    # TMVA: ranked by the area of the histograms, though the ROC integral of the events is printed
    ranked = sorted(results, key=lambda result: -result.area)
    integrals = [f"{dataset:<13} {r.title:<15}: {_integral(r):#1.3f}" for r in ranked]
    efficiencies = []
    for r in ranked:
        low, middle, high = (
            f"{test:#1.3f} ({training:#1.3f})"
            for test, training in zip(r.efficiencies, r.training_efficiencies, strict=True)
        )
        efficiencies.append(f"{dataset:<20} {r.title:<15}: {low}       {middle}      {high}")
    return [
        "",
        "Evaluation results ranked by best signal efficiency and purity (area)",
        _BINARY_RULE,
        "DataSet       MVA                       ",
        "Name:         Method:          ROC-integ",
        *integrals,
        _BINARY_RULE,
        "",
        "Testing efficiency compared to training efficiency (overtraining check)",
        _BINARY_RULE,
        "DataSet              MVA              Signal efficiency: from test sample (from training sample) ",
        "Name:                Method:          @B=0.01             @B=0.10            @B=0.30   ",
        _BINARY_RULE,
        *efficiencies,
        _BINARY_RULE,
        "",
    ]


def _integral(result: BinaryResult) -> float:
    # TMVA: the area for methods without a separation, such as cuts
    return result.area if result.separation < 0 else result.roc_integral


def regression_tables(dataset: str, results: Sequence[RegressionResult]) -> list[str]:
    """Return the two final tables of regression, methods ranked by the mean deviation of the test sample."""
    # TMVA: not ranked by the RMS, and the training table has the order of the test sample
    ranked = sorted(results, key=lambda result: result.test.deviation)
    # TMVA: the first table has a second rule in place of the names of its columns
    return [
        "",
        "Evaluation results ranked by smallest RMS on test sample:",
        *_REGRESSION_EXPLANATION,
        _REGRESSION_RULE,
        _REGRESSION_RULE,
        *(_regression_row(dataset, r.title, r.test) for r in ranked),
        _REGRESSION_RULE,
        "",
        "Evaluation results ranked by smallest RMS on training sample:",
        "(overtraining check)",
        _REGRESSION_RULE,
        "DataSet Name:         MVA Method:        <Bias>   <Bias_T>    RMS    RMS_T  |  MutInf MutInf_T",
        _REGRESSION_RULE,
        *(_regression_row(dataset, r.title, r.training) for r in ranked),
        _REGRESSION_RULE,
        "",
    ]


def _regression_row(dataset: str, title: str, n: RegressionNumbers) -> str:
    deviations = "".join(f"{x:#9.3g}" for x in (n.bias, n.truncated_bias, n.rms, n.truncated_rms))
    information = f"{n.mutual_information:#5.3f}  {n.truncated_mutual_information:#5.3f}"
    return f"{dataset:<20} {title:<15}:{deviations}  |  {information}"


def multiclass_tables(dataset: str, results: Sequence[MulticlassResult]) -> list[str]:
    """Return the table of each class against the rest and the confusion matrices, methods as they were booked."""
    lines = ["", "1-vs-rest performance metrics per class", _MULTICLASS_RULE, "", *_ONE_VS_REST_EXPLANATION, ""]
    at = [f"Sig eff@B={b:.2f}" for b in BACKGROUND_EFFICIENCIES]
    lines.append(_columns(["Dataset", "MVA Method", "ROC AUC", *at]))
    lines.append(_columns(["Name:", "/ Class:", *["test  (train)"] * 4]))
    for result in results:
        lines += ["", _columns([dataset, result.title]), "-" * 30]
        for c, name in enumerate(result.class_names):
            test, train = ([n.aucs[c], *n.efficiencies[c]] for n in (result.test, result.training))
            lines.append(_columns(["", name, *(f"{a:5.3f} ({b:5.3f})" for a, b in zip(test, train, strict=True))]))
    lines += ["", _MULTICLASS_RULE, ""]
    lines += ["", "Confusion matrices for all methods", _MULTICLASS_RULE, "", *_CONFUSION_EXPLANATION, ""]
    for result in results:
        lines.append(f"=== Showing confusion matrix for method : {result.title:<15}")
        for k, b in enumerate(BACKGROUND_EFFICIENCIES):
            lines.append(f"(Signal Efficiency for Background Efficiency {b:.2f}%)")
            lines.append("-" * 51)
            lines += _confusion(result, k)
            lines.append("")
    return [*lines, _MULTICLASS_RULE, ""]


def _columns(cells: Sequence[str]) -> str:
    return "".join(f"{cell:<15}" for cell in cells)


def _confusion(result: MulticlassResult, k: int) -> list[str]:
    names = result.class_names
    rows: list[list[str]] = [["", *names], ["", *[" test (train)"] * len(names)]]
    for r, name in enumerate(names):
        # TMVA: test and training are swapped, whatever the header says
        pairs = zip(result.training.confusion[k, r], result.test.confusion[k, r], strict=True)
        cells = [f"{first:<5.3f} ({second:<5.3f})" for first, second in pairs]
        cells[r] = "-"
        rows.append([name, *cells])
    return ["".join(f" {cell:<14}" for cell in row) for row in rows]


def ranking_table(ranking: Ranking) -> list[str]:
    """Return the table of a ranking; the first line is the header's."""
    longest = max((len(name) for name, _ in ranking.entries), default=0)
    rule = "-" * (longest + 15 + len(ranking.discriminator))
    rows = [
        f"{i:4} : {name.ljust(max(longest, 9))} : {value:3.3e}"
        for i, (name, value) in enumerate(ranking.entries, start=1)
    ]
    header = f"Rank : {'Variable '.ljust(longest)} : {ranking.discriminator}"
    return ["Ranking result (top variable is best ranked)", rule, header, rule, *rows, rule]


def statistics_table(labels: Sequence[str], statistics: VariableStatistics) -> list[str]:
    """Return the table of means, RMS and ranges; the first line is the header's."""
    name = max([8, *map(len, labels)])
    number = name + 2
    header = (
        f"{'Variable':>{name}}  {'Mean':>{number}} {'RMS':>{number}}   "
        f"{'[        Min ':>{number}}  {'    Max ]':>{number}}"
    )
    rule = "-" * (name + 4 * number + 11)
    rows = []
    for label, *numbers in zip(
        labels, statistics.mean, statistics.rms, statistics.smallest, statistics.largest, strict=True
    ):
        mean, rms, low, high = (f"{x:#11.5g}".rjust(number) for x in numbers)
        rows.append(f"{label:>{name}}:{mean}{rms}   [{low}{high} ]")
    return [header, rule, *rows, rule]


def value_list(titles: tuple[str, str], names: Sequence[str], values: Sequence[float]) -> list[str]:
    """Return the table of one value a method, such as the reference cuts."""
    first, second = max(7, len(titles[0]), *map(len, names)), max(10, len(titles[1]))
    rule = "-" * (first + second + 2)
    rows = [f"{name:>{first}}: " + f"{value:+1.3f}".rjust(second) for name, value in zip(names, values, strict=True)]
    return [rule, f"{titles[0]:>{first}}: {titles[1]:>{second}}", rule, *rows, rule]


def correlation_tables(
    dataset: str,
    methods: Sequence[tuple[str, float]],
    responses: ArrayLike,
    labels: Sequence[str],
    variables: ArrayLike,
    is_signal: ArrayLike,
) -> list[str]:
    """Return the tables of the Factory's option Correlations for classifiers, given by title and reference cut.

    ``responses`` (n_events, n_methods) and ``variables`` (n_events, n_variables) are those of the test events; their
    weights do not matter.
    """
    titles, cuts = [title for title, _ in methods], [cut for _, cut in methods]
    n, several = len(methods), len(methods) > 1
    prefix = f"Dataset[{dataset}] : "
    v, x, signal = np.asarray(responses), np.asarray(variables), np.asarray(is_signal, dtype=bool)
    classes = (("signal", signal), ("background", ~signal))
    correlations = [(name, response_correlations(np.column_stack([v[of], x[of]]))) for name, of in classes]
    lines: list[str] = []
    if several:
        for name, rho in correlations:
            lines += [f"{prefix}Inter-MVA correlation matrix ({name}):", *matrix_table(rho[:n, :n], titles)]
    for name, rho in correlations:
        lines.append(f"{prefix}Correlations between input variables and MVA response ({name}):")
        lines += matrix_table(rho[n:, :n], titles, labels)
    lines += [
        f'{prefix}The following "overlap" matrices contain the fraction of events for which ',
        f"{prefix}the MVAs 'i' and 'j' have returned conform answers about \"signal-likeness\"",
        f"{prefix}An event is signal-like, if its MVA output exceeds the following value:",
        *value_list(("Method", "Cut value"), titles, cuts),
        f"{prefix}which correspond to the working point: eff(signal) = 1 - eff(background)",
    ]
    if several:
        for name, of in classes:
            lines += [f"Inter-MVA overlap matrix ({name}):", *matrix_table(overlap_matrix(v[of], cuts), titles)]
    return lines


def final_tables(
    name: str, results: Sequence[BinaryResult | RegressionResult | MulticlassResult], *, with_roc: bool = True
) -> list[str]:
    """Return the tables that end the evaluation of a data set; without ``with_roc`` not those of a classification."""
    binary = [one for one in results if isinstance(one, BinaryResult)]
    regressions = [one for one in results if isinstance(one, RegressionResult)]
    multiclass = [one for one in results if isinstance(one, MulticlassResult)]
    lines: list[str] = []
    if binary and with_roc:
        lines += binary_tables(name, binary)
    if regressions:
        lines += regression_tables(name, regressions)
    if multiclass:
        lines += multiclass_tables(name, multiclass)
    return lines
