"""What an attacker knows, as a policy writes it."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.errors import PolicyError
from sharewell.joint.engine.attacker_knowledge import Known, known_parts
from sharewell.protocols import PersonFacts

NONE = np.zeros(1, int)
RECORD = PersonFacts(["a"], {"age": NONE, "rs1": NONE}, ("age",), sets=(np.array([0, 1]), NONE), places=("rs1",))


def test_a_record_with_codes_and_dna_has_a_number_of_each() -> None:
    columns, codes, snps = Known.of("record", {"columns": ["age"], "codes": 2, "snps": 1})
    assert (columns.columns, columns.most) == (("age",), None)
    assert (codes.most, codes.sort("record", RECORD)) == (2, "labels")
    assert (snps.most, snps.sort("record", RECORD), snps.shown_columns("record", RECORD)) == (1, "places", ("rs1",))
    assert [name for name, _ in known_parts({"a": ["x"], "b": {"codes": 1, "snps": 1}})] == ["a", "b", "b"]


def test_a_number_alone_is_of_what_the_dataset_holds() -> None:
    (known,) = Known.of("rows", 1)
    assert known.sort("rows", PersonFacts(["a"], {"ward": NONE}, ("ward",))) == "rows"
    assert known.sort("dna", PersonFacts(["a"], {"rs1": NONE}, places=("rs1",))) == "places"


def test_a_number_alone_says_too_little_of_codes_and_dna() -> None:
    (known,) = Known.of("record", 2)
    with pytest.raises(PolicyError, match=r"write record: \{codes: 2, snps: 2\}"):
        known.sort("record", RECORD)


def test_snps_of_a_dataset_without_any_are_refused() -> None:
    (known,) = Known.of("codes", {"snps": 1})
    with pytest.raises(PolicyError, match="publishes no snps"):
        known.sort("codes", PersonFacts(["a"], {}, sets=(np.array([0, 1]), NONE)))


@pytest.mark.parametrize(
    "given", [{"codes": -1}, {"codes": True}, {"columns": "age", "codes": 1}, {"codes": 1, "any": 1}]
)
def test_odd_mappings_are_refused(given: object) -> None:
    with pytest.raises(ValueError, match="what is known of record must be"):
        Known.of("record", given)
