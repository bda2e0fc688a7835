"""A crosswalk maps every code to all that it may stand for, or says how many it could not."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell import plan, release, verify
from sharewell.codes.engine.code_crosswalk import CodeMapping, Mapped
from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy import ICD9CM, ICD10CM
from sharewell.hierarchy.crosswalk import Crosswalk
from sharewell.io.sources import Source

PAIRS = {"a1": ["X1"], "a2": ["X2", "X3"], "a3": ["X1", "Y1"], "a4": []}


def source(pairs: dict[str, list[str]] = PAIRS) -> Source:
    rows = [(one, other) for one, others in pairs.items() for other in others or [""]]
    return Source.of(pa.table({"from": [one for one, _ in rows], "to": [other for _, other in rows]}))


def table(codes: list[str | None]) -> pa.Table:
    return pa.table({"subject": [str(i) for i in range(len(codes))], "code": pa.array(codes, pa.string())})


@given(
    st.lists(st.sampled_from(["a1", "a2", "a3", "a4", "b", None]), max_size=8),
    st.sampled_from(["all", "first"]),
    st.sampled_from(["keep", "missing"]),
)
def test_by_the_definition(codes: list[str | None], ambiguous: str, unmapped: str) -> None:
    """Row by row, from the pairs themselves."""
    mapping = CodeMapping(source(), ambiguous=ambiguous, unmapped=unmapped)  # type: ignore[arg-type]
    mapped, account = mapping.apply(table(codes), None, "x")
    expected = []
    fates: Counter[str] = Counter()
    for person, code in enumerate(codes):
        others = PAIRS.get(code or "", [])
        if code is not None:
            fates["mapped" if len(others) == 1 else "ambiguous" if others else "unmapped"] += 1
        shown: list[str | None] = [*others] if ambiguous == "all" else [*others[:1]]
        if not shown:
            shown = [code] if unmapped == "keep" else [None]
        expected += [(str(person), one) for one in shown]
    found = list(zip(mapped["subject"].to_pylist(), mapped["code"].to_pylist(), strict=True))
    assert sorted(found, key=str) == sorted(expected, key=str)
    assert account == Mapped(sum(fates.values()), fates["mapped"], fates["ambiguous"], fates["unmapped"], 0)


@pytest.mark.parametrize(("name", "target"), [("icd9cm-icd10cm", ICD10CM()), ("icd10cm-icd9cm", ICD9CM())])
def test_an_ancestor_is_true_whichever_counterpart_is_right(name: str, target: ICD9CM | ICD10CM) -> None:
    """Of all codes that ship: every code of every answer lies below it, and no label below covers them all."""
    walk = Crosswalk.shipped(name)
    several = sorted(code for code, answers in walk.table.items() if len(answers) > 1)[::7]
    mapped, _ = CodeMapping(gems=name, ambiguous="ancestor", unmapped="missing").apply(table(several), None, "x")
    assert mapped["code"].null_count == len(several), "without a hierarchy there is no ancestor"
    rows, account = CodeMapping(gems=name, ambiguous="ancestor", unmapped="missing").apply(table(several), target, "x")
    assert account.ambiguous + account.unmapped == len(several)
    for code, above in zip(several, rows["code"].to_pylist(), strict=True):
        chains = [target.chain(one) for one in itertools.chain.from_iterable(walk.table[code])]
        common = [label for label in chains[0] if all(label in chain for chain in chains)]
        assert (above or "*") == common[0]


def test_codes_that_stand_together_are_one_answer() -> None:
    """Ornithosis with pneumonia is two codes in ICD-10-CM, and nothing is left open."""
    mapped, account = CodeMapping(gems="icd9cm-icd10cm").apply(table(["073.0", "4011", None]), ICD10CM(), "x")
    assert mapped["code"].to_pylist() == ["A70", "J17", "I10", None]
    assert mapped["subject"].to_pylist() == ["0", "0", "1", "2"]
    assert account == Mapped(2, 2, 0, 0, 0)


def test_what_is_refused_is_counted_and_never_shown() -> None:
    for codes, counted in ((["a2", "a2", "a1"], "1 of 2 different codes (2 entries)"), (["a4", "b"], "2 of 2")):
        with pytest.raises(DataError) as error:
            CodeMapping(source()).apply(table(codes), None, "visits.csv")  # type: ignore[arg-type]
        assert counted in str(error.value)
        assert not any(code in str(error.value) for code in codes)


def test_codes_of_both_classifications_in_a_mixed_file_are_refused() -> None:
    """V10.3 is a code of both. Alone it is what the crosswalk says; beside I10 nobody knows."""
    mapping = CodeMapping(gems="icd9cm-icd10cm", ambiguous="first", unmapped="missing")
    both = next(code for code in ICD9CM().codes() if ICD10CM().lists(code) and mapping.crosswalk.answers(code))
    assert mapping.apply(table([both]), ICD10CM(), "x")[1].kept == 0
    with pytest.raises(DataError, match="1 of 2 different codes are of both"):
        mapping.apply(table([both, "I10"]), ICD10CM(), "x")


def test_only_one_system_is_mapped() -> None:
    mapping = CodeMapping(gems="icd9cm-icd10cm", of="ICD9")
    mapped, account = mapping.apply(table(["ICD9:401.1", "ICD10:V10.3", "ICD10:E11.9"]), ICD10CM(), "x")
    assert mapped["code"].to_pylist() == ["I10", "V10.3", "E11.9"]
    assert account == Mapped(3, 1, 0, 0, 2)


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        ({"old": ["a"], "to": ["b"]}, "has the columns from and to"),
        ({"from": ["a", None], "to": ["b", "c"]}, "1 row"),
        ({"from": [], "to": []}, "is empty"),
    ],
)
def test_a_file_that_is_no_crosswalk(frame: dict[str, list[str]], told: str) -> None:
    with pytest.raises(DataError, match=told):
        Crosswalk.of_file(Source.of(pa.table({name: pa.array(cells, pa.string()) for name, cells in frame.items()})))


POLICY = """sharewell: 1
release: {name: mapped}
datasets:
  diagnoses:
    kind: codes
    read: {csv: d.csv}
    columns: {patient_id: subject, code: {role: quasi, hierarchy: icd10cm}}
    crosswalk: {gems: icd9cm-icd10cm, ambiguous: ancestor}
    require: [km-anonymity: {k: 2, m: 1}]
    using: apriori
write: {csv: out}
"""
ROWS = "patient_id,code\n1,250.00\n1,401.1\n2,250.00\n2,401.9\n3,995.91\n3,250.00\n4,995.91\n4,V58.67\n"


def written(folder: Path, policy: str = POLICY) -> Path:
    (folder / "d.csv").write_text(ROWS)
    (folder / "walk.csv").write_text("from,to\n250.00,E11.9\n401.1,I10\n401.9,I10\n995.91,A41.9\nV58.67,Z79.4\n")
    file = folder / "policy.yaml"
    file.write_text(policy)
    return file


def test_a_release_maps_counts_and_says_so(tmp_path: Path) -> None:
    file = written(tmp_path)
    shown = plan(file)["diagnoses"].accounts[0].to_json()
    assert shown["source"] == "d.csv"
    step = shown["columns"]["code"]["steps"][0]
    assert (step["name"], step["changed"], step["unread"]) == ("crosswalk", 8, 0)
    folder = release(file).directory
    assert verify(folder).ok
    assert verify(folder / "public").ok
    published = (folder / "public" / "diagnoses.csv").read_text()
    assert "E11" in published
    assert "250" not in published
    facts = json.loads((folder / "public" / "dictionary.json").read_text())
    assert "icd9cm-icd10cm" in json.dumps(facts)
    assert "mapped to another classification" in (folder / "internal" / "dossier.html").read_text()


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    text = POLICY.replace("{gems: icd9cm-icd10cm, ambiguous: ancestor}", "{csv: walk.csv}")
    assert verify(release(written(tmp_path, text)).directory).ok


@pytest.mark.parametrize(
    ("crosswalk", "told"),
    [
        ("{gems: icd9-icd10}", "no such setting of gems"),
        ("{gems: icd9cm-icd10cm, ambiguous: guess}", "no such setting of ambiguous"),
        ("{gems: icd9cm-icd10cm, unmapped: guess}", "no such setting of unmapped"),
        ("{gems: icd9cm-icd10cm, of: ICD9}", "no column names the systems"),
        ("{gems: icd9cm-icd10cm, csv: walk.csv}", "keep one"),
        ("{ambiguous: all}", "names no file"),
        ("{csv: none.csv}", "none.csv"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, crosswalk: str, told: str) -> None:
    file = written(tmp_path, POLICY.replace("{gems: icd9cm-icd10cm, ambiguous: ancestor}", crosswalk))
    with pytest.raises((PolicyError, DataError), match=told):
        plan(file)


def test_people_with_codes_are_mapped_too(tmp_path: Path) -> None:
    """Kind joint reads its codes by the same keys."""
    file = written(
        tmp_path,
        POLICY.replace("kind: codes", "kind: joint\n    demographics: {csv: people.csv}")
        .replace("columns: {", "columns: {sex: quasi, ")
        .replace("km-anonymity: {k: 2, m: 1}", "k-km-anonymity: {k: 2, m: 1}")
        .replace("apriori", "rt-anonymization"),
    )
    (tmp_path / "people.csv").write_text("patient_id,sex\n1,F\n2,F\n3,M\n4,M\n")
    assert plan(file)["diagnoses"].accounts[0].columns["code"].steps[0].changed == 8
    folder = release(file).directory
    assert verify(folder).ok
    assert "250" not in (folder / "public" / "diagnoses.csv").read_text()
