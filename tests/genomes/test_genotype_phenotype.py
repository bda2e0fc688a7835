"""From variants to diagnoses to names: the tables that ship, and candidates counted one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, PolicyError
from sharewell.genomes import Frequencies, GenotypePhenotype, Genotypes, Sequences, Snps
from sharewell.genomes.engine.genes import COPIES, agree, plain, variants
from sharewell.hierarchy import ICD9CM, ICD10CM
from sharewell.io.shipped import shipped_rows
from sharewell.protocols import Truth
from sharewell.testing import check_finding

TABLE = pa.table(
    {
        "variant": ["rs1", "rs2", "rs3"],
        "gene": ["HTT", "HBB", "FMR1"],
        "allele": ["A", "A", "A"],
        "icd10cm": [None, "D57.1", None],
    }
)
SNPS = Snps.of(["rs1", "rs2", "rs3"], effect=["A", "G", "A"], other=["G", "A", "C"])
"""HTT: one copy is enough. HBB: two, and calls count the other allele. FMR1: on the X chromosome."""
COPIES_OF = {"rs1": 1, "rs2": 2, "rs3": 2}
CODES = {"rs1": ("G10", "333.4"), "rs2": ("D57.1", "282.61"), "rs3": ("Q99.2", "759.83")}


def listed(rows: list[tuple[str, str, int, str]]) -> Any:
    return pa.table({name: [row[i] for row in rows] for i, name in enumerate(("name", "sex", "age", "code"))})


def test_every_shipped_code_is_a_code_and_every_variant_has_its_gene() -> None:
    rows = list(shipped_rows("genes/gene_disease.csv"))
    assert len(rows) == 81
    assert all(ICD10CM().lists(row["icd10cm"]) and ICD9CM().lists(row["icd9cm"]) for row in rows)
    assert {row["inheritance"] for row in rows} <= set(COPIES)
    assert all(int(row["onset_age_low"]) <= int(row["onset_age_high"]) for row in rows)
    assert len(variants()) == 10


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[list[int]], list[tuple[str, str, int, str]], bool]:
    calls = draw(st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=1, max_size=6))
    codes = ["G10", "333.4", "D57.1", "282.6", "Q99.2", "I10", "G1"]
    person = st.tuples(st.sampled_from(["F", "M", ""]), st.integers(0, 80))
    people = [(f"p{i}", *draw(person)) for i in range(draw(st.integers(1, 6)))]
    rows = [(*who, code) for who in people for code in draw(st.lists(st.sampled_from(codes), min_size=1, unique=True))]
    return calls, rows, draw(st.booleans())


@settings(max_examples=60, deadline=None)
@given(worlds())
def test_candidates_are_those_that_a_person_would_find(world: Any) -> None:
    calls, rows, with_sex = world
    whose = [f"p{i}" for i in range(len(calls))]
    dna = Genotypes.of(calls, persons=whose, snps=SNPS)
    sexes = {who: ("F", "M", "")[i % 3] for i, who in enumerate(whose)}
    beside = pa.table({"name": whose, "sex": [sexes[who] for who in whose]}) if with_sex else None
    attack = GenotypePhenotype(listed(rows), variants=TABLE, beside=beside)
    found = attack.mount(dna, Truth(dna, np.arange(dna.rows))).details
    sizes, right = [], 0
    for who, counted in zip(whose, calls, strict=True):
        fits = _fitting(counted, rows, sexes[who] if with_sex else "")
        sizes.append(len(fits))
        right += fits == {who}
    assert found.candidates == pytest.approx(np.mean(sizes))
    assert found.unique == sizes.count(1) / len(sizes)
    assert found.nobody == sizes.count(0) / len(sizes)
    assert found.correct == right / len(sizes)
    assert sum(one.share for one in found.support) == pytest.approx(1)


def _fitting(calls: list[int], rows: list[tuple[str, str, int, str]], sex: str) -> set[str]:
    """One by one, in plain words."""
    people = {(name, its_sex, age) for name, its_sex, age, _ in rows}
    fits = {name for name, its_sex, _ in people if not sex or its_sex in ("", sex)}
    for call, (variant, needed) in zip(calls, COPIES_OF.items(), strict=True):
        copies = 2 - call if variant == "rs2" and call >= 0 else call
        needs = 1 if variant == "rs3" and sex == "M" else needed
        if copies >= needs:
            least = {"rs1": 30, "rs2": 0, "rs3": 1}[variant]
            ill = {
                name
                for name, _, age, code in rows
                if age >= least and any(agree(plain(code), plain(meant)) for meant in CODES[variant])
            }
            fits &= ill
    return fits


def test_published_symbols_count_only_if_they_are_sure() -> None:
    table = pa.table({"variant": ["2"], "gene": ["HTT"], "allele": ["T"]})
    people = listed([("Ann", "F", 50, "G10"), ("Bob", "M", 50, "I10")])
    original = Sequences.of(["ATG", "AAG"], ids=["Ann", "Bob"])
    attack = GenotypePhenotype(people, variants=table)
    assert attack.mount(original).value == 0.5
    assert attack.mount(original.shown(Sequences.of(["AWG", "AWG"]).codes)).value == 0.0
    assert attack.mount(Sequences.of(["AWG", "AAG"], ids=["Ann", "Bob"])).details.implying == 1


def test_age_beside_the_dna() -> None:
    people = listed([("Ann", "F", 50, "G10"), ("Bob", "M", 62, "G10")])
    dna = Genotypes.of([[1, 2, 0]], persons=["Ann"], snps=SNPS)
    beside = pa.table({"name": ["Ann"], "age": ["52"]})
    found = [GenotypePhenotype(people, variants=TABLE, beside=beside, years=years).mount(dna) for years in (0, 5, 20)]
    assert [(one.details.nobody, one.value) for one in found] == [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)]


def test_findings_hold_no_name() -> None:
    people = [("Ann", "F", 50, "G10"), ("Bob", "M", 62, "I10")]
    dna = Genotypes.of([[1, 2, 0], [0, 2, 0]], persons=["Ann", "Bob"], snps=SNPS)
    attack = GenotypePhenotype(listed(people), variants=TABLE)
    check_finding(attack.mount(dna, Truth(dna, np.arange(2))), pa.table({"name": ["Ann", "Bob"]}))


def test_odd_input_is_told() -> None:
    people, dna = listed([("Ann", "F", 50, "G10")]), Genotypes.of([[1, 0, 0]], snps=SNPS)
    with pytest.raises(PolicyError, match="something else"):
        GenotypePhenotype(people).mount(Frequencies.of(dna))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="lacks"):
        GenotypePhenotype(people, variants=pa.table({"variant": ["x"], "gene": ["none"], "allele": ["A"]})).mount(dna)
    with pytest.raises(DataError, match="nobody is named"):
        GenotypePhenotype(pa.table({"name": pa.array([], pa.string()), "code": pa.array([], pa.string())})).mount(dna)
    with pytest.raises(DataError, match="neither sex nor age"):
        GenotypePhenotype(people, beside=pa.table({"name": ["x"]})).mount(dna)
    with pytest.raises(PolicyError, match="needs to know the person"):
        GenotypePhenotype(people, beside=people).mount(Sequences.of(["AC"]))
    with pytest.raises(ValueError, match="years"):
        GenotypePhenotype(people, years=-1)
    assert GenotypePhenotype(people).mount(dna).details.variants == 0
    assert GenotypePhenotype(people).mount(Sequences.of([])).value is None
