"""Every mechanism for codes with every criterion that it can make hold, on small random data, judged from its file."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.codes import (
    CodeSets,
    Coherence,
    CompleteKAnonymity,
    CoverFree,
    GlobalSuppression,
    HiddenPattern,
    KmAnonymity,
    KmDisassociation,
    PrivacyPolicy,
    PSRules,
    RhoUncertainty,
    UtilityPolicy,
)
from sharewell.codes.engine.published_forms import FORMS, form_of
from sharewell.codes.wing import explained, members_of
from sharewell.errors import Infeasible
from sharewell.hierarchy import ICD9CM
from sharewell.keys import Key

CODES = ["250.00", "250.01", "401.1", "401.9", "428.0", "296.20", "296.30", "303.90"]
CRITERIA: dict[str, list[Any]] = {
    "complete-k-anonymity": [CompleteKAnonymity(2), CompleteKAnonymity(3)],
    "cover-free": [CoverFree()],
    "hidden-patterns": [HiddenPattern([["250.00", "401.1"]], max_support=1)],
    "hkp-coherence": [Coherence(2, 2, 0.5, ["303.90"]), Coherence(3, 1, 0.8, ["303.90", "296.20"])],
    "km-anonymity": [KmAnonymity(2, 2), KmAnonymity(3, 3)],
    "km-disassociation": [KmDisassociation(2, 2), KmDisassociation(3, 2)],
    "privacy-policy": [
        PrivacyPolicy([["250.00", "401.1"], ["296.20", "303.90", "428.0"]], 2),
        PrivacyPolicy([["250.00", "401.1"], ["401.9"]], 3, strict=False),
    ],
    "ps-rules": [PSRules([[["401.1"], ["303.90"]]], 2, 0.5)],
    "rho-uncertainty": [RhoUncertainty(0.5, ["303.90"], 2), RhoUncertainty(0.7, ["303.90", "296.20"], 3)],
    "utility-policy": [UtilityPolicy([["250.00", "250.01"], ["401.1", "401.9"], ["296.20", "296.30"]])],
}
SEQUENCE = HiddenPattern(["250.00 > 401.1"], max_support=1, kind="sequence")
PARTNERS = {"utility-policy": ("privacy-policy",), "cover-free": ("km-disassociation",)}
"""What a criterion is asked for beside: a bound on cost alone protects nobody."""
SETTINGS: dict[str, Any] = {"global-suppression": GlobalSuppression(below=0.3)}
CELLS = [
    (mechanism.name, criterion.name)
    for mechanism in registry.entries("codes", "mechanisms")
    for criterion in registry.entries("codes", "criteria")
    if registry.compatible(mechanism.load(), criterion.load())
]

RECORDS = st.lists(st.lists(st.sampled_from(CODES), max_size=5), max_size=12)


def test_no_name_is_forgotten() -> None:
    assert {entry.name for entry in registry.entries("codes", "criteria")} == set(CRITERIA)
    mechanisms = {entry.name for entry in registry.entries("codes", "mechanisms")}
    assert mechanisms == {mechanism for mechanism, _ in CELLS}


@pytest.mark.parametrize(("mechanism", "criterion"), CELLS, ids=[f"{m}-{c}" for m, c in CELLS])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records=RECORDS, which=st.integers(0, 1), tree=st.booleans(), times=st.integers(1, 3))
def test_the_file_holds_what_was_asked_or_there_is_none(
    mechanism: str, criterion: str, records: list[list[str]], which: int, tree: bool, times: int
) -> None:
    able = SETTINGS.get(mechanism) or registry.lookup("codes", "mechanisms", mechanism)()
    data = of_rows(records, times, ICD9CM() if tree else None)
    if mechanism == "sequence-hiding":
        data = CodeSets.of_visits([[[code] for code in record] for record in records])
    must = [SEQUENCE] if mechanism == "sequence-hiding" else [CRITERIA[criterion][which % len(CRITERIA[criterion])]]
    must += [CRITERIA[name][0] for name in PARTNERS.get(criterion, ())]
    must = [one for one in must if registry.compatible(type(able), type(one))]
    try:
        protected = able.protect(data, must, Key(b"a key for this test, long enough"))
    except Infeasible:
        return
    read = written_and_read(protected.data)
    for one in must:
        finding = one.check(read)
        assert not finding.failed, (str(finding), records)
    if isinstance(protected.data, CodeSets):
        true_to_their_records(data, protected, read_by_row=protected.data)


def of_rows(records: list[list[str]], times: int, hierarchy: Any) -> CodeSets:
    """From a file in which every person comes so many times, with the same codes in several rows: one set each."""
    if not records:
        return CodeSets.of(records, hierarchy=hierarchy)
    rows = [(f"p{i}", code) for _ in range(times) for i, record in enumerate(records) for code in (record or [None])]
    frame = pa.table({"who": [who for who, _ in rows], "code": pa.array([code for _, code in rows], pa.string())})
    data = CodeSets.from_long(frame, subject="who", code="code", hierarchy=hierarchy)
    assert data.records == len(records)
    return data


def written_and_read(released: Any) -> Any:
    """Through the file's own form and the dictionary, as a stranger gets it."""
    form = form_of(released)
    table, _ = form.write(released, [])
    return form.read(table, released.column, members_of(explained(released, None), None))


def true_to_their_records(original: CodeSets, protected: Any, read_by_row: CodeSets) -> None:
    """Every label covers a code of the record it stands in, and no person has two records."""
    assert len(set(protected.rows.tolist())) == len(protected.rows) == read_by_row.records
    for row, source in enumerate(protected.rows.tolist()):
        held = {original.names[i] for i in original.sets.row(source)}
        for label in read_by_row.sets.row(row).tolist():
            assert held & set(read_by_row.members[label])


@pytest.mark.parametrize("name", sorted({mechanism for mechanism, _ in CELLS}))
def test_an_empty_dataset_and_one_record_are_answered(name: str) -> None:
    able = SETTINGS.get(name) or registry.lookup("codes", "mechanisms", name)()
    asked = next(CRITERIA[criterion][0] for mechanism, criterion in CELLS if mechanism == name)
    asked = SEQUENCE if name == "sequence-hiding" else asked
    for records in ([], [[]], [["401.1"]], [["401.1", "401.1"]]):
        data = (
            CodeSets.of_visits([[record] for record in records]) if name == "sequence-hiding" else CodeSets.of(records)
        )
        try:
            protected = able.protect(data, [asked], Key(b"a key for this test, long enough"))
        except Infeasible:
            continue
        assert not asked.check(written_and_read(protected.data)).failed or not records


def test_every_form_is_met() -> None:
    assert {"sets", "sequences", "chunks"} <= set(FORMS)
