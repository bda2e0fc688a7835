"""Draws of the same people in several datasets are judged as one: whoever has both averages them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import Infeasible
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.protocols import PublishedDataset
from sharewell.tables import RetentionReplacement, Rho1ToRho2, Table
from sharewell.tables.criteria.draws_together import DrawsTogether

VALUES = ["a", "b", "c"]
PEOPLE = pa.table({"sex": ["F", "M"] * 6, "code": VALUES * 4})
DATASET = """\
  {name}:
    kind: tables
    read: {{csv: people.csv}}
    columns: {{person: subject, sex: quasi, code: {code}, ward: {ward}}}
    require: [{require}]
    using: {using}
"""
BELIEF = "rho1-to-rho2: {prior: 0.1, posterior: 0.5}"


def drawing(name: str, ratio: Fraction, rule: Rho1ToRho2) -> PublishedDataset:
    table = Table.of(PEOPLE, quasi=["sex"], sensitive=["code"])
    how = RetentionReplacement({"code": VALUES}, ratio=ratio)
    data = how.protect(table, [], Key(f"a key of a test that nobody guesses {name}".encode())).data
    drawn = data.columns["code"].drawn
    assert drawn is not None
    facts = {"sex": {"role": "quasi"}, "code": {"role": "sensitive", **drawn.facts}}
    return PublishedDataset(name, data, Source(), "tables", (rule,), columns=facts)


RATIOS = st.fractions(min_value=Fraction(11, 10), max_value=6, max_denominator=20)


@given(RATIOS, RATIOS, st.fractions(Fraction(1, 20), Fraction(9, 20), max_denominator=20))
def test_it_holds_if_no_pair_of_published_values_raises_a_belief_too_far(
    first: Fraction, second: Fraction, prior: Fraction
) -> None:
    """Bayes' rule over every pair of draws and every two true values, in fractions."""
    rule = Rho1ToRho2(prior, Fraction(1, 2))
    datasets = [drawing("one", first, rule), drawing("two", second, rule)]
    chances = []
    for one in datasets:
        kept = one.data.columns["code"].drawn.groups[0].drawn.stay
        chances.append({(t, y): kept if t == y else (1 - kept) / 2 for t in VALUES for y in VALUES})
    worst = Fraction(0)
    for y, z, true, other in product(VALUES, repeat=4):
        if true != other:
            yes = prior * chances[0][true, y] * chances[1][true, z]
            no = (1 - prior) * chances[0][other, y] * chances[1][other, z]
            worst = max(worst, yes / (yes + no))
    assert DrawsTogether().check(datasets).ok is (worst <= Fraction(1, 2))


def policy(place: Path, *datasets: dict[str, str]) -> Path:
    rows = [f"p{i},{'FM'[i % 2]},{VALUES[i % 3]},{'xyz'[i % 3]}" for i in range(60)]
    (place / "people.csv").write_text("\n".join(["person,sex,code,ward", *rows]) + "\n")
    usual = {"code": "sensitive", "ward": "drop", "require": BELIEF, "using": drawn("code")}
    written = "".join(DATASET.format(**{**usual, **one}) for one in datasets)
    path = place / "policy.yaml"
    path.write_text(f"sharewell: 1\nrelease: {{name: r}}\ndatasets:\n{written}write: {{csv: out}}\n")
    return path


def drawn(column: str, ratio: str = "", values: str = "[a, b, c]") -> str:
    return f"{{retention-replacement: {{columns: {{{column}: {values}}}{ratio}}}}}"


WARDS = {"code": "drop", "ward": "sensitive", "using": drawn("ward", values="[x, y, z]")}
TRUE = {"require": "k-anonymity: {k: 3}", "using": "mondrian"}
GROUPED = {"using": drawn("code", ", ratio: 1.5", "{one: [a, b], two: [c, d]}")}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({}, "draws-together = 2 criteria"),
        (WARDS, "draws-together = 2 criteria"),
        (TRUE, "other publishes column code as it is"),
        (GROUPED, "within different groups"),
    ],
    ids=["the same column", "another column", "the column itself", "other groups"],
)
def test_what_both_tell_together_is_refused(tmp_path: Path, other: dict[str, str], why: str) -> None:
    with pytest.raises(Infeasible, match=why):
        release(check(policy(tmp_path, {"name": "first"}, {"name": "other", **other})))


def test_draws_that_share_the_bound_are_released(tmp_path: Path) -> None:
    """Three times three is nine, which is what the bound allows; other columns of both are still listed."""
    shared = {"using": drawn("code", ", ratio: 3")}
    done = release(check(policy(tmp_path, {"name": "first", **shared}, {"name": "other", **shared})))
    assert verify(done.directory).ok
    (finding,) = verify(done.directory).findings["datasets together"]
    assert (finding.name, finding.ok) == ("draws-together", True)
    assert done.findings["together"]["not_judged"] == [["first", "other"]]


def test_a_draw_after_an_earlier_one_counts_with_it(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    first.mkdir()
    second.mkdir()
    release(check(policy(first, {"name": "first"})))
    path = policy(second, {"name": "other"})
    path.write_text(path.read_text().replace("{name: r}", "{name: r2, after: [../one/out/r]}"))
    with pytest.raises(Infeasible, match="other and first of r: draws-together"):
        release(check(path))
