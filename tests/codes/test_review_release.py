"""What a review of released codes found: each test is a way in which a release, or a verdict on one, was wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.cli import main
from sharewell.codes.criteria.hidden_patterns import HiddenPattern
from sharewell.errors import DataError, PolicyError
from sharewell.io.delimited import read_text_rows
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_CODES_KEY}
datasets:
  d:
    kind: codes
    read: {csv: dx.csv}
    columns: COLUMNS
    MORE
    require: [REQUIRE]
    using: USING
write: {csv: out}
"""
Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    monkeypatch.setenv("TEST_CODES_KEY", "an example secret, long enough")

    def write(
        data: str | pa.Table,
        require: str = "km-anonymity: {k: 2, m: 2}",
        using: str = "local-suppression",
        columns: str = "{who: subject, code: quasi}",
        more: str = "",
    ) -> Path:
        text = POLICY.replace("COLUMNS", columns).replace("REQUIRE", require).replace("USING", using)
        if isinstance(data, str):
            (tmp_path / "dx.csv").write_text(data)
        else:
            pq.write_table(data, tmp_path / "dx.parquet")
            text = text.replace("csv: dx.csv", "parquet: dx.parquet")
        policy = tmp_path / "p.yaml"
        policy.write_text(text.replace("MORE", more))
        return policy

    return write


def rewritten(policy: Path, edit: Callable[[Path, dict[str, Any]], None]) -> Path:
    """A release whose public files were edited by somebody who re-made every hash."""
    public = policy.parent / "out" / "r" / "public"
    certificate = json.loads((public / "certificate.json").read_text())
    edit(public, certificate)
    claims = {name: claim["columns"] for name, claim in certificate["datasets"].items()}
    (public / "dictionary.json").write_text(json.dumps(claims))
    certificate["files"] = {name: _sha(public / name) for name in certificate["files"]}
    (public / "certificate.json").write_text(json.dumps(certificate))
    files = sorted(path for path in public.iterdir() if path.name != "SHA256SUMS")
    (public / "SHA256SUMS").write_text("".join(f"{_sha(path)}  {path.name}\n" for path in files))
    return public


def _sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_order_of_the_file_does_not_choose_among_equal_records(written: Written) -> None:
    """Which of equal records loses a code shows in the hash of the evidence, which is published."""
    found = []
    for people in (range(6), reversed(range(6))):
        rows = "".join(f"p{i},a\np{i},b\n" for i in people)
        policy = written(f"who,code\n{rows}", "hidden-patterns: {patterns: [a b], max_support: 2}", "pattern-hiding")
        release(check(policy))
        found.append({path.name: _sha(path) for path in (policy.parent / "out" / "r" / "public").iterdir()})
        (policy.parent / "out").rename(policy.parent / f"out{len(found)}")
    assert found[0] == found[1]


def test_patterns_are_text_since_a_number_is_another_code(written: Written) -> None:
    """250.00 in YAML is 250.0: nothing was hidden, and the criterion held."""
    rows = "".join(f"p{i},250.00\n" for i in range(4))
    policy = written(f"who,code\n{rows}", "hidden-patterns: {patterns: [[250.00]], max_support: 1}", "pattern-hiding")
    with pytest.raises(PolicyError, match="quotes"):
        check(policy)
    for odd in ([250.0], [None], [[["a"], [1]]]):
        with pytest.raises(ValueError, match="text"):
            HiddenPattern(odd, max_support=1)


def test_visits_of_nobody_are_refused(written: Written) -> None:
    """Each row was a record of its own, so that one visit with a code twice counted as two."""
    policy = written(
        "visit,code\nv1,a\nv1,a\n", columns="{visit: drop, code: quasi}", more="visit: visit\n    unit: visit"
    )
    with pytest.raises(PolicyError, match="no column identifies the person"):
        check(policy)


@pytest.mark.parametrize(
    ("columns", "extra"),
    [
        ({"who": [1.0, float("nan")], "code": ["a", "a"]}, ""),
        ({"who": ["1", "2"], "code": pa.array([b"\xff", b"\xff"])}, ""),
        ({"who": [["1"], ["2"]], "code": ["a", "a"]}, ""),
        ({"who": ["1", "2"], "v": [["1"], ["2"]], "code": ["a", "a"]}, "visit: v"),
    ],
)
def test_odd_columns_are_typed_errors(written: Written, columns: dict[str, Any], extra: str) -> None:
    roles = "{who: subject, v: drop, code: quasi}" if extra else "{who: subject, code: quasi}"
    with pytest.raises(DataError):
        release(check(written(pa.table(columns), columns=roles, more=extra)))


def test_a_dictionary_cannot_make_labels_wide_where_there_is_no_classification(written: Written) -> None:
    policy = written("code\n" + "a\n" * 4 + "b\n" * 4, "km-anonymity: {k: 3, m: 2}", columns="{code: quasi}")
    release(check(policy))

    def widen(public: Path, certificate: dict[str, Any]) -> None:
        (public / "d.csv").write_text('"code"\n"a"\n"b"\n"c"\n"d"\n')
        claim = certificate["datasets"]["d"]
        claim["rows"] = 4
        claim["columns"]["code"]["labels"] = {one: {"codes": list("abcd")} for one in "abcd"}

    assert not verify(rewritten(policy, widen)).ok


@pytest.mark.parametrize("place", ["claim", "column"])
def test_visits_are_not_sold_as_persons(written: Written, place: str) -> None:
    rows = "".join(f"p{i},v{j},{code}\n" for i in range(3) for j in range(2) for code in "ab")
    policy = written(
        f"who,v,code\n{rows}", columns="{who: subject, v: drop, code: quasi}", more="visit: v\n    unit: visit"
    )
    release(check(policy))

    def rename(public: Path, certificate: dict[str, Any]) -> None:
        claim = certificate["datasets"]["d"]
        if place == "claim":
            claim["unit"] = "persons"
        else:
            claim["columns"]["code"]["unit"] = "person"

    assert not verify(rewritten(policy, rename)).ok


def test_labels_without_an_order_stand_by_their_text(written: Written) -> None:
    policy = written("who,code\n" + "".join(f"p{i},a\np{i},b\n" for i in range(4)))
    release(check(policy))

    def turn(public: Path, certificate: dict[str, Any]) -> None:
        (public / "d.csv").write_text((public / "d.csv").read_text().replace("a b", "b a", 1))

    assert any("order" in problem for problem in verify(rewritten(policy, turn)).problems)


@pytest.mark.parametrize("code", ["#c", '"z', "a b"])
def test_a_list_that_would_be_read_as_another_is_not_written(tmp_path: Path, code: str) -> None:
    """`#` begins a comment, and a quote swallows the lines after it."""
    source, out = tmp_path / "dx.parquet", tmp_path / "list.txt"
    pq.write_table(pa.table({"who": ["1", "1", "2"], "code": [code, "d", "e"]}), source)
    given = ["extract", "privacy", str(source), "--subject", "who", "--code", "code", "--out", str(out)]
    assert main(given) == 3
    assert not out.exists()


def test_a_list_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    source, out = tmp_path / "dx.parquet", tmp_path / "list.txt"
    pq.write_table(pa.table({"who": ["1", "1", "2"], "code": ["'q", "d\\", "e"]}), source)
    assert main(["extract", "privacy", str(source), "--subject", "who", "--code", "code", "--out", str(out)]) == 0
    assert read_text_rows(out, ";")[1:] == [["'q d\\"], ["e"]]


def test_people_cannot_bring_a_column_by_the_name_of_the_codes(written: Written, tmp_path: Path) -> None:
    policy = written(
        "who,d1,d2\np0,a,b\np1,a,b\n",
        "k-km-anonymity: {k: 2}",
        "rt-anonymization",
        columns="{who: subject, d1: quasi, d2: quasi, codes: quasi}",
        more="demographics: {csv: people.csv}",
    )
    policy.write_text(policy.read_text().replace("kind: codes", "kind: joint"))
    (tmp_path / "people.csv").write_text("who,codes\np0,20\np1,20\n")
    with pytest.raises(PolicyError, match="under which the codes are published"):
        release(check(policy))
