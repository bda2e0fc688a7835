"""The parts of a dataset: described by counts, and opened again from what a dictionary says."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.joint import SnpCells
from sharewell.joint.engine.dataset_parts import described, dna_columns, reopened_dna


def test_columns_of_dna_are_described_by_counts() -> None:
    calls = SnpCells.of_calls([[0, -1], [0, 2], [1, 1]], ["rs1", "rs2"])
    told = described(calls)
    assert [(one["kind"], one["distinct"], one["missing"]) for one in told.values()] == [("snp", 2, 0), ("snp", 2, 1)]
    bases = SnpCells.of_bases([[1, 2], [1, 2], [15, 2]], "dna")
    assert described(bases)["dna"] == {"role": "quasi", "kind": "sequence", "distinct": 1, "missing": 1}


def test_dna_is_opened_again_by_its_dictionary() -> None:
    source = Source.of(pa.table({"code": ["401"], "rs1": ["{0,1}"], "dna": ["AC"]}))
    facts = {"code": {"kind": "codes"}, "rs1": {"kind": "snp"}, "dna": {"kind": "sequence"}}
    assert list(dna_columns(facts)) == ["rs1", "dna"]
    assert reopened_dna(source, {"rs1": facts["rs1"]}).sets.tolist() == [[3]]
    assert reopened_dna(source, {"dna": facts["dna"]}).sets.tolist() == [[1, 2]]
    for wrong in ({"rs1": facts["rs1"], "dna": facts["dna"]}, {"rs9": facts["rs1"]}):
        with pytest.raises(DataError, match="not those of the certificate"):
            reopened_dna(source, wrong)
