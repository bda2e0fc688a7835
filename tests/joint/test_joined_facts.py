"""Facts of every kind of data that can be joined by person, and words for what an attacker knows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from sharewell.codes import CodeSets
from sharewell.errors import DataError, PolicyError
from sharewell.genomes import Frequencies, Genotypes, Sequences, Snps
from sharewell.io.sources import Source
from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity
from sharewell.joint.engine.joined_facts import facts_of, knowledge_in_words
from sharewell.protocols import Protected, PublishedDataset
from sharewell.registry import wing
from sharewell.tables import Table

TABLE = Table.of(
    pa.table({"who": ["a", "a", None], "ward": ["x", "y", "y"], "ill": ["flu", "flu", "gout"], "day": ["1", "2", "2"]}),
    quasi=["ward"],
    sensitive=["ill"],
    subject="who",
    rest="keep",
)
CODES = CodeSets.of([["1", "2"], ["2"]], persons=["a", "b"])
DNA = Sequences.of(["AAT", "AGT"], ids=["a", "b"])


def published(kind: str, data: object) -> PublishedDataset:
    return PublishedDataset(kind, data, Source(), kind)


def test_rows_codes_and_places_are_facts_of_their_persons() -> None:
    found = facts_of([published("tables", TABLE), published("codes", CODES), published("genomes", DNA)])
    assert list(found["tables"].persons) == ["a", "a", None]
    assert found["tables"].cells["ward"].tolist() == [0, 1, 1]
    assert found["tables"].cells["day"].tolist() == [0, 1, 1]
    assert sorted(found["tables"].cells) == ["day", "ill", "ward"]
    assert found["codes"].sets is not None
    assert found["codes"].sets[0].tolist() == [0, 2, 3]
    assert list(found["genomes"].cells) == ["2"]
    words = knowledge_in_words({"tables": {"any": 1, "columns": ["ward"]}, "codes": 2, "genomes": 1}, found)
    assert words == "any 1 row of tables (ward); any 2 codes of codes; any 1 place of genomes"


def test_what_is_nobodys_cannot_be_joined() -> None:
    snps = Snps.of(["rs1"], effect=["A"], other=["G"])
    pool = Frequencies.of(Genotypes.of([[0], [1]], snps=snps)) if hasattr(Frequencies, "of") else None
    nameless = CodeSets.of([["1"]])
    for one in filter(None, [published("codes", nameless), pool and published("genomes", pool)]):
        with pytest.raises(DataError, match="cannot be joined"):
            facts_of([one])


def test_facts_and_records_are_taken_out() -> None:
    rows = np.arange(2)
    reader = wing("codes").capabilities().facts
    assert reader is not None
    left = reader.without_facts(
        Protected(CODES, None, rows), {"labels": np.array([True, False, False])}, np.zeros(2, bool)
    )
    assert [sorted(left.data.names[i] for i in left.data.sets.row(row)) for row in range(2)] in (
        [["1"], ["2"]],
        [["2"], ["2"]],
    )
    reader = wing("genomes").capabilities().facts
    assert reader is not None
    left = reader.without_facts(Protected(DNA, None, rows), {"places": np.array([True, True])}, np.array([False, True]))
    assert (left.data.texts, left.data.ids) == (("ANT",), ("a",))
    reader = wing("tables").capabilities().facts
    assert reader is not None
    left = reader.without_facts(
        Protected(TABLE, None, np.arange(3)), {"rows": np.array([True, False, False])}, np.zeros(3, bool)
    )
    assert (left.data.rows, left.rows.tolist()) == (2, [1, 2])


def test_rows_of_which_nothing_would_be_known_are_refused() -> None:
    visits = Table.of(pa.table({"who": ["a", "b"], "day": ["1", "2"]}), quasi=[], subject="who", rest="keep")
    shown = [published("tables", visits)]
    with pytest.raises(PolicyError, match="no quasi column"):
        JoinedKAnonymity(2, {"tables": 1}).check(shown)
    assert JoinedKAnonymity(2, {"tables": {"any": 1, "columns": ["day"]}}).check(shown).value == 1
    assert JoinedKAnonymity(2, {"tables": {"any": 1, "columns": []}}).check(shown).value == 2
