"""Retention replacement: probabilities as stated, people with several records, groups, and what is refused."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.tables import DeltaGrowth, KAnonymity, RetentionReplacement, Rho1ToRho2, Table

KEY = Key(b"an example key of enough bytes..")
CODES = ["a", "b", "c", "d"]
RHO = Rho1ToRho2("1/10", "1/2")


def people(codes: list[str], who: list[str] | None = None) -> Table:
    frame = pa.table({"who": who or [f"p{i}" for i in range(len(codes))], "sex": ["F"] * len(codes), "code": codes})
    return Table.of(frame, quasi=["sex"], sensitive=["code"], subject="who")


def test_values_are_kept_as_often_as_stated() -> None:
    """40,000 draws under one key; five standard deviations are one in a million."""
    table = people(["a"] * 40_000)
    released = RetentionReplacement({"code": CODES}).protect(table, [RHO], KEY)
    seen = Counter(released.data.arrow["code"].to_pylist())
    for value in CODES:
        share = 9 / 12 if value == "a" else 1 / 12
        assert abs(seen[value] - 40_000 * share) < 5 * math.sqrt(40_000 * share * (1 - share)), value


def test_the_published_ratio_is_the_largest_that_every_criterion_allows() -> None:
    how = RetentionReplacement({"code": CODES}, ratio=20)
    for must, most in (([RHO], 9), ([RHO, DeltaGrowth("1/5")], Fraction(9, 4)), ([], 20)):
        drawn = how.protect(people(CODES * 5), must, KEY).details.columns["code"]
        assert math.isclose(drawn.groups[0].drawn.ratio, most, rel_tol=1e-9)
        assert drawn.groups[0].drawn.ratio <= most


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=6), st.integers(1, 2), st.fractions(Fraction(3, 2), 30))
def test_all_that_is_drawn_of_a_person_stays_within_the_ratio(
    records: list[int], columns: int, ratio: Fraction
) -> None:
    """Two true versions of one person: how likely each makes any output, multiplied over records and columns."""
    who = [f"p{i}" for i, count in enumerate(records) for _ in range(count)]
    frame = pa.table({"who": who, "sex": ["F"] * len(who)} | {f"c{i}": ["a"] * len(who) for i in range(columns)})
    names = [f"c{i}" for i in range(columns)]
    table = Table.of(frame, quasi=["sex"], sensitive=names, subject="who")
    how = RetentionReplacement(dict.fromkeys(names, CODES), ratio=ratio, rows_per_person=max(records))
    drawn = how.protect(table, [], KEY).details.columns
    worst = Fraction(1)
    for one in drawn.values():
        (group,) = one.groups
        worst *= max(group.drawn.stay / group.drawn.other, group.drawn.other / group.drawn.stay) ** max(records)
    assert worst <= ratio


def test_the_order_of_rows_decides_nothing() -> None:
    codes = [CODES[i * i % 4] for i in range(60)]
    forward, backward = people(codes), people(codes[::-1], [f"p{i}" for i in range(60)][::-1])
    how = RetentionReplacement({"code": CODES}, ratio=3)
    one, other = (how.protect(table, [], KEY).data.arrow["code"].to_pylist() for table in (forward, backward))
    assert one == other[::-1]


def test_other_data_and_other_ratios_are_drawn_anew() -> None:
    codes = ["a"] * 200
    first = RetentionReplacement({"code": CODES}, ratio=3).protect(people(codes), [], KEY).data.arrow["code"]
    again = RetentionReplacement({"code": CODES}, ratio=3).protect(people([*codes, "b"]), [], KEY).data.arrow["code"]
    ratio = RetentionReplacement({"code": CODES}, ratio="3.01").protect(people(codes), [], KEY).data.arrow["code"]
    for other in (again, ratio):
        same = sum(a == b for a, b in zip(first.to_pylist(), other.to_pylist(), strict=False))
        assert same < 170  # independent draws agree in 1/3 of the records; equal ones in nearly all


def test_two_bounds_do_not_share_draws() -> None:
    """If they did, the more truthful of two releases would show the truth wherever they differ."""
    truth = ["abcde"[i % 5] for i in range(1000)]
    people = pa.table({"age": [str(i) for i in range(1000)], "code": truth})
    table = Table.of(people, quasi=["age"], sensitive=["code"])
    how = RetentionReplacement({"code": list("abcde")})
    more, less = (how.protect(table, [Rho1ToRho2("1/10", most)], KEY).data.arrow.to_pydict() for most in ("1/2", "1/4"))
    differing = [i for i in range(1000) if more["code"][i] != less["code"][i]]
    true = sum(more["code"][i] == truth[int(more["age"][i])] for i in differing)
    assert 0.4 < true / len(differing) < 0.8
    again = how.protect(table, [Rho1ToRho2("1/10", "1/2")], KEY).data.arrow.to_pydict()
    assert again == more


def test_groups_keep_values_within_and_ask_for_more_doubt() -> None:
    groups = {"chronic": ["a", "b"], "acute": ["c", "d"]}
    codes = ["a"] * 30 + ["b"] * 30 + ["c"] * 20 + ["d"] * 20
    released = RetentionReplacement({"code": groups}).protect(people(codes), [RHO], KEY)
    for true, shown in zip(codes, released.data.arrow["code"].to_pylist(), strict=True):
        assert (true in "ab") == (shown in "ab")
    assert RHO.check(released.data).ok
    # A belief of 1/10 over all is 1/4 in a group of 40 %: from there a half allows a ratio of 3.
    ratios = [float(group.drawn.ratio) for group in released.details.columns["code"].groups]
    assert ratios == pytest.approx([5, 3])


def test_a_group_that_gives_the_belief_away_is_infeasible() -> None:
    codes = ["a"] * 90 + ["c"] * 10
    how = RetentionReplacement({"code": {"one": ["a", "b"], "two": ["c", "d"]}})
    with pytest.raises(Infeasible, match="can tell nothing within the bounds"):
        how.protect(people(codes), [RHO], KEY)


def test_other_criteria_are_checked_on_what_is_published() -> None:
    with pytest.raises(Infeasible, match="k-anonymity"):
        RetentionReplacement({"code": CODES}, ratio=3).protect(people(["a"]), [KAnonymity(5)], KEY)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (["a"], "at least two values"),
        ("ab", "must be a list or a mapping"),
        (["a", "A "], "all different"),
        (["a", ""], "values must be there"),
        ({"one": ["a", "b"], "two": ["c"]}, "groups of at least two"),
        ({}, "at least two values"),
    ],
)
def test_odd_lists_of_values_are_refused(values: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        RetentionReplacement({"code": values})  # type: ignore[dict-item]


def test_groups_need_one_record_a_person() -> None:
    with pytest.raises(ValueError, match="one record a person"):
        RetentionReplacement({"code": {"x": ["a", "b"], "y": ["c", "d"]}}, rows_per_person=2)


def test_what_was_not_declared_is_refused_by_its_count() -> None:
    with pytest.raises(DataError, match=r"column code — 2 record\(s\) without a declared value") as error:
        RetentionReplacement({"code": CODES}, ratio=3).protect(people(["a", "secret", ""]), [], KEY)
    assert "secret" not in str(error.value)


def test_more_records_than_stated_are_refused() -> None:
    with pytest.raises(DataError, match="somebody has 2 records, and rows_per_person is 1"):
        RetentionReplacement({"code": CODES}, ratio=3).protect(people(["a", "b"], ["p", "P "]), [], KEY)


def test_records_of_nobody_are_refused() -> None:
    with pytest.raises(DataError, match=r"1 record\(s\) name no person"):
        RetentionReplacement({"code": CODES}, ratio=3).protect(people(["a", "b"], ["p", ""]), [], KEY)


def test_without_a_bound_nothing_is_guessed() -> None:
    with pytest.raises(PolicyError, match="how truthful"):
        RetentionReplacement({"code": CODES}).protect(people(["a"]), [KAnonymity(1)], KEY)
    with pytest.raises(PolicyError, match="no sensitive column 'sex'"):
        RetentionReplacement({"sex": CODES}, ratio=2).protect(people(["a"]), [], KEY)


def test_a_release_attests_the_draws_and_notices_a_changed_statement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHAREWELL_KEY", "a secret for this test, of no use elsewhere")
    (tmp_path / "people.csv").write_text("who,sex,code\n" + "".join(f"p{i},F,{CODES[i % 4]}\n" for i in range(40)))
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: drawn}\nsecrets: {key: env:SHAREWELL_KEY}\ndatasets:\n  codes:\n"
        "    kind: tables\n    read: {csv: people.csv}\n"
        "    columns: {who: subject, sex: quasi, code: sensitive}\n"
        "    require: [rho1-to-rho2: {prior: 0.1, posterior: 0.5}]\n"
        "    using: {retention-replacement: {columns: {code: [a, b, c, d]}}}\nwrite: {csv: out/}\n"
    )
    assert main(["release", str(tmp_path / "policy.yaml")]) == 0
    assert main(["verify", str(tmp_path / "out/drawn")]) == 0
    assert "attested" in capsys.readouterr().out
    public = tmp_path / "out/drawn/public"
    for name in ("dictionary.json", "certificate.json"):
        path = public / name
        path.write_text(path.read_text().replace('"kept": 1383', '"kept": 1783'))
    assert main(["verify", str(public)]) == 5
