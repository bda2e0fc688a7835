"""Whatever a mechanism publishes, a register of the originals finds the person: cells cover what they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sharewell import tables as t
from sharewell.errors import Infeasible, PolicyError
from sharewell.hierarchy import Dates, Prefixes
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.pipeline.run import release
from sharewell.policy import load
from sharewell.tables import KAnonymity, Linkage, Table
from sharewell.tables.attacks.linkage import PopulationLinkage
from sharewell.tables.wing import TablesWing

KEY = Key(b"a key for tests, long enough")
CATEGORIES = {"sex": "other", "illness": "other"}
QUASI = ["born", "age", "sex", "zip"]
MECHANISMS: list[Any] = [
    t.AttributeSuppression(),
    t.BottomUp(),
    t.EarlierCells(pa.table({name: ["*"] for name in QUASI}), suppress=0.5),
    t.InstancePartitioning(),
    t.InstancePartitioning(variant="literal"),
    t.KMember(),
    t.LimitedDataSet(CATEGORIES),
    t.LocalRecoding(suppress=0.5),
    t.Mondrian(),
    t.Mondrian(relaxed=True),
    t.MultiRecordPartitioning(),
    t.OptimalRecoding(suppress=0.5),
    t.Packing(),
    t.RecordSuppression(suppress=0.9),
    t.SafeHarbor(CATEGORIES, year=2026),
    t.TopDown(),
    t.ValueSuppression(),
]
BORN = ["1930-02-03", "1936-12-31", "1937-01-01", "1981-05-01", "1981-11-30", None]
AGES, SEXES, ZIPS = [0, 44, 89, 90, 95, None], ["F", "M", None], ["02139", "03601", "02138-1234", "94110", None]
rows = st.lists(
    st.tuples(
        st.sampled_from([f"p{i}" for i in range(6)]),
        *(st.sampled_from(values) for values in (BORN, AGES, SEXES, ZIPS)),
        st.sampled_from(["flu", "gout"]),
    ),
    min_size=1,
    max_size=12,
)
TREES: list[dict[str, Any]] = [{}, {"zip": Prefixes(), "born": Dates()}]


def frame(drawn: Any) -> Any:
    names = ["who", *QUASI, "illness"]
    kinds = [pa.string(), pa.string(), pa.int64(), pa.string(), pa.string(), pa.string()]
    return pa.table({n: pa.array([r[i] for r in drawn], k) for i, (n, k) in enumerate(zip(names, kinds, strict=True))})


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda one: one.name)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=rows, tree=st.sampled_from(TREES), k=st.integers(1, 3))
def test_everybody_released_is_among_those_who_fit(mechanism: Any, drawn: Any, tree: Any, k: int) -> None:
    """Several rows a person on both sides; the register is the original."""
    people = frame(drawn)
    table = Table.of(people, quasi=QUASI, sensitive=["illness"], subject="who", hierarchies=tree)
    must: list[Any] = [KAnonymity(k)]
    if mechanism.name == "instance-partitioning":
        must.append(t.InstanceDisclosure(people, 1, accept_overlap=True))
    try:
        protected = mechanism.protect(table, must, KEY)
    except (Infeasible, PolicyError):
        return
    truth = protected.truth(table)
    listed = PopulationLinkage.of(Source.of(people.select(["who", *QUASI])), protected.data, truth)
    assert (listed.fits > 0).all()
    assert listed.rows is not None
    assert (listed.chances[listed.rows] > 0).all()
    found = Linkage(people).mount(protected.data, truth)
    assert found.value is not None
    assert found.value >= 1 / len({row[0] for row in drawn})
    assert found.details.unmatched_records == 0


def test_safe_harbor_is_held_against_a_register_with_dates_of_birth() -> None:
    """Unless a year covered its days, nobody would fit, and the risk would look like none."""
    people = pa.table(
        {
            "birth_date": ["1981-05-01", "1981-11-30", "1930-02-03", "1936-07-07", "1990-01-01"],
            "age": ["44", "44", "95", "89", "36"],
            "zip": ["02139", "02138", "03601", "03601", "94110"],
            "sex": ["F", "F", "M", "M", "F"],
        }
    )
    table = Table.of(people, quasi=people.column_names)
    safe = t.SafeHarbor({"sex": "other"}, year=2026)
    released = safe.protect(table, must=[]).data
    found = Linkage(people).mount(released)
    assert (found.value, found.details.unmatched_records, found.details.unique_records) == (1.0, 0, 3)
    other = people.set_column(0, "birth_date", [["01.05.1981", "30.11.1981", "03.02.1930", "07.07.1936", "01.01.1990"]])
    assert Linkage(other).mount(released).value == 1.0
    asked = t.InstanceDisclosure(people, 1)
    assert asked.check(safe.protect(table, must=[asked]).data).ok is True
    assert t.KMap(people, 2).check(released).value == 1


def test_a_release_under_safe_harbor_is_read_by_its_dictionary(tmp_path: Path) -> None:
    """From the written file alone, `90+` and `1981` cover whom they stand for."""
    (tmp_path / "patients.csv").write_text(
        "id,birth_date,zip,ill\np1,1981-05-01,02139,flu\np2,1930-02-03,03601,gout\np3,1981-11-30,02138,flu\n"
    )
    (tmp_path / "people.csv").write_text(
        "id,birth_date,zip\np1,1981-05-01,02139\np2,1930-02-03,03601\np3,1981-11-30,02138\np4,1931-01-01,03601\n"
    )
    (tmp_path / "policy.yaml").write_text(
        """
sharewell: 1
release: {name: safe}
datasets:
  patients:
    kind: tables
    read: {csv: patients.csv}
    columns: {id: subject, birth_date: quasi, zip: quasi, ill: sensitive}
    require:
      - safe-harbor: {columns: {ill: other}, year: 2026}
      - instance-disclosure: {max: 1, population: {csv: people.csv}}
    using: safe-harbor
    attacks: [linkage: {population: {csv: people.csv}}]
write: {csv: out/}
"""
    )
    done = release(load(tmp_path / "policy.yaml"))
    after = done.findings["datasets"]["patients"]["attacks"][0]["after"]
    assert (after["value"], after["details"]["unmatched_records"]) == (0.5, 0)
    public = done.directory / "public"
    from sharewell.io.writing import read_json

    columns = read_json(public / "dictionary.json")["patients"]
    shown = TablesWing().reopen(Source.of(public / "patients.csv"), columns)
    assert Linkage(tmp_path / "people.csv").mount(shown).details.unmatched_records == 0
    assert np.all(np.array([c.hierarchy is not None for c in shown.quasi]))
