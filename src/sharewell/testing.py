"""Contract batteries: what every criterion, mechanism, attack and measure must do, whoever wrote it.

Call one from a test of your own; it raises AssertionError with a sentence that says which law was broken.

    from sharewell.testing import check_mechanism
    def test_contract():
        check_mechanism(MyMechanism(), open_table, frame, must=[KAnonymity(2)])

`open` turns an Arrow table into the wing's data; the frame should hold text that occurs nowhere else, because the
batteries look for cell values in everything that is not data.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from sharewell.errors import Infeasible
from sharewell.findings import Finding, json_details
from sharewell.keys import Key
from sharewell.protocols import AnyAttack, AnyCriterion, AnyMeasure, AnyMechanism, Frame

Open = Callable[[Frame], Any]
_KEY = Key(b"contract battery: a fixed secret")


def check_mechanism(mechanism: AnyMechanism, open: Open, frame: Frame, must: Sequence[AnyCriterion]) -> None:
    """Row order, determinism, no mutation, independent check or Infeasible, silence about values."""
    kept = frame.to_pydict()
    data = open(frame)
    try:
        first = mechanism.protect(data, must, _KEY)
    except Infeasible as error:
        _silent(str(error), frame, "Infeasible")
        return
    assert frame.to_pydict() == kept, "the mechanism changed its input"
    again = mechanism.protect(open(frame), must, _KEY)
    assert _rows(first.data) == _rows(again.data), "the same input and key gave two different releases"
    shuffled = frame.take(pa.array(np.random.default_rng(1).permutation(frame.num_rows)))
    other = mechanism.protect(open(shuffled), must, _KEY)
    assert sorted(_rows(first.data)) == sorted(_rows(other.data)), "the release depends on the order of the rows"
    for criterion in must:
        finding = criterion.check(first.data)
        assert not finding.failed, f"the output fails its own criterion: {finding}"
    assert len(first.rows) == first.data.rows, "truth does not align with the published rows"
    _silent(json.dumps(json_details(first.details), ensure_ascii=False), frame, "details")
    if not mechanism.falsifies:
        check_true_to_their_rows(first, frame)


def check_true_to_their_rows(protected: Any, frame: Frame) -> None:
    """No published row shows the value of another row: only a mechanism that says `falsifies` may do that.

    Cells that cover several values (ranges, sets, means) may be written with values of their whole class.
    """
    shown = protected.data.arrow
    for name in set(shown.column_names) & set(frame.column_names):
        column = getattr(protected.data, "columns", {}).get(name)
        if column is not None and getattr(column, "shows_means", False):
            continue
        before = [_written(value) for value in frame[name].to_pylist()]
        values = set(before) - {""}
        for row, value in zip(protected.rows.tolist(), shown[name].to_pylist(), strict=True):
            text = _written(value)
            assert text == before[row] or text not in values, f"column {name} shows the value of another row"


def check_falsifying(mechanism: AnyMechanism, open: Open, frame: Frame, must: Sequence[AnyCriterion] = ()) -> None:
    """What a mechanism must do that publishes false values: say so, draw from the key alone, touch nothing else."""
    assert mechanism.falsifies is True, "a mechanism that falsifies data must say `falsifies`"
    assert mechanism.engine == "check", "nothing holds by construction: its engine is check"
    check_mechanism(mechanism, open, frame, must)
    first = mechanism.protect(open(frame), must, _KEY)
    assert first.reproducible, "with a key the result is reproducible"
    dictionary = first.details.dictionary
    assert dictionary, "the dictionary must name what is false"
    assert all("falsified" in facts for facts in dictionary.values()), "the dictionary must say how"
    before, after = open(frame).arrow, first.data.arrow
    for name in after.column_names:
        if name not in dictionary:
            same = list(map(_written, before[name].to_pylist())) == list(map(_written, after[name].to_pylist()))
            assert same, f"column {name} was changed, and the dictionary does not say so"
    other = mechanism.protect(open(frame), must, Key(b"contract battery: yet another fixed secret"))
    fresh = mechanism.protect(open(frame), must)
    if _rows(other.data) != _rows(first.data):  # it draws at random
        assert not fresh.reproducible, "without a key the result is not reproducible, and must say so"


def check_criterion(criterion: AnyCriterion, open: Open, frame: Frame) -> None:
    """Same finding in any row order, no mutation, JSON without values, undecided on nothing."""
    kept = frame.to_pydict()
    finding = criterion.check(open(frame))
    assert frame.to_pydict() == kept, "the criterion changed its input"
    shuffled = frame.take(pa.array(np.random.default_rng(2).permutation(frame.num_rows)))
    assert criterion.check(open(shuffled)).value == finding.value, "the finding depends on the order of the rows"
    assert finding.bound is not None, "a criterion judges: its finding has a bound"
    assert criterion.check(open(frame.slice(0, 0))).failed, "a criterion must not certify an empty table"
    check_finding(finding, frame)


def check_suppressed_rows_never_protect(
    criterion: AnyCriterion, open_published: Open, frame: Frame, withheld: Any
) -> None:
    """Adding rows that are marked as withheld must not change what a criterion finds."""
    alone = criterion.check(open_published(frame))
    padded = criterion.check(open_published(pa.concat_tables([frame, withheld])))
    assert padded.value == alone.value, "withheld rows counted as protection"


def check_attack(attack: AnyAttack, open: Open, frame: Frame) -> None:
    """An attack runs without the truth, does not depend on row order, and tells no value."""
    finding = attack.mount(open(frame))
    shuffled = frame.take(pa.array(np.random.default_rng(3).permutation(frame.num_rows)))
    assert attack.mount(open(shuffled)).value == finding.value, "the attack depends on the order of the rows"
    check_finding(finding, frame)


def check_measure(measure: AnyMeasure, open: Open, frame: Frame, released: Any) -> None:
    """A measure tells no value, and reads two tables without changing them."""
    kept = frame.to_pydict()
    check_finding(measure.score(open(frame), released), frame)
    assert frame.to_pydict() == kept, "the measure changed its input"


def check_finding(finding: Finding, frame: Frame) -> None:
    """Valid JSON, no NaN, no cell value anywhere in it."""
    text = json.dumps(finding.to_json(), ensure_ascii=False, allow_nan=False)
    _silent(text + str(finding) + repr(finding), frame, "the finding")


def _silent(text: str, frame: Frame, what: str) -> None:
    """Numbers may coincide; words of four letters or more may not."""
    for name in frame.column_names:
        for value in set(frame[name].to_pylist()):
            word = str(value)
            if value is not None and len(word) >= 4 and not word.replace(".", "").isdigit():
                assert word not in text, f"{what} shows a cell value of column {name}"


def _written(value: Any) -> str:
    """A value as text; a number the same way, however it was written."""
    try:
        return "" if value is None else repr(float(value))
    except (TypeError, ValueError):
        return str(value)


def _rows(data: Any) -> list[tuple[Any, ...]]:
    table = data.arrow
    return list(zip(*([str(v) for v in table[name].to_pylist()] for name in table.column_names), strict=True))
