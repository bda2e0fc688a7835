"""A criterion about a population is re-checked by whoever has the named source, and attested for whoever has not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest

from sharewell import registry
from sharewell.cli import main
from sharewell.errors import DataError, PolicyError, VerificationFailed
from sharewell.findings import Tier
from sharewell.hospital import Hospital
from sharewell.pipeline.certificate import write_sums
from sharewell.pipeline.evidence import NO_SALT, NOT_AT_HAND
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load
from sharewell.protocols import Mechanism, Protected
from sharewell.tables import Table

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  patients:
    kind: tables
    read: {csv: patients.csv}
    rest: drop
    columns: {patient_id: subject, sex: quasi, birth_date: quasi, zip: quasi, diagnosis: sensitive}
    require:
      - k-anonymity: {k: 2}
      - k-map: {population: {csv: ref/people.txt, separator: ";", columns: {zip: postal, birth_date: born}}, k: 20}
      - instance-disclosure:
          population: {csv: ref/people.txt, separator: ";", columns: {zip: postal, birth_date: born}}
          max: 1/2
          average: 0.4
          bounds: {diagnosis: {obesity: 1/3}}
      - k-1-anonymity: {k: 2, originals: {csv: patients.csv}, subject: patient_id}
      - marketer-risk: {max: 1/2}
    using: half-centuries
write: {parquet: out}
"""


@dataclass(frozen=True)
class HalfCenturies(Mechanism[Table]):
    """A mechanism for this test alone: fixed, disjoint cells; whether anything holds is the verifier's to say."""

    name: ClassVar[str] = "half-centuries"
    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = ()

    def protect(self, data: Table, must: Sequence[Any], key: Any = None) -> Protected[Table]:
        shown = data.arrow.append_column("patient_id", data.columns["patient_id"].arrow)
        born = [f"[{int(day[:4]) // 50 * 50}-01-01..{int(day[:4]) // 50 * 50 + 49}-12-31]" for day in _texts(shown)]
        zips = pa.array(["*"] * data.rows)
        for name, cells in (("birth_date", pa.array(born)), ("zip", zips)):
            shown = shown.set_column(shown.column_names.index(name), name, cells)
        return Protected(Table.from_arrow(shown, data.schema, {}, published=True), {}, np.arange(data.rows))


def _texts(shown: Any) -> list[str]:
    return [str(day) for day in shown["birth_date"].to_pylist()]


@pytest.fixture(scope="module")
def hospital(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("hospital")
    Hospital(patients=200, seed=5, notes=False, dirty=False).write(directory)
    lines = [line.split(",") for line in (directory / "register.csv").read_text().splitlines()]
    names = {"zip": "postal", "birth_date": "born"}
    lines[0] = [names.get(name, name) for name in lines[0]]
    (directory / "people.txt").write_text("\n".join(";".join(line) for line in lines) + "\n")
    return directory


@pytest.fixture(autouse=True)
def mechanism(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    entry = ("tables", "mechanisms", "half-centuries")
    monkeypatch.setitem(registry.BUILTIN, entry, f"{__name__}:HalfCenturies")
    registry._all.cache_clear()
    yield
    monkeypatch.undo()
    registry._all.cache_clear()


def desk(directory: Path, hospital: Path, policy: str = POLICY) -> Path:
    (directory / "ref").mkdir(parents=True, exist_ok=True)
    shutil.copy(hospital / "people.txt", directory / "ref")
    shutil.copy(hospital / "patients.csv", directory)
    (directory / "policy.yaml").write_text(policy)
    return directory / "policy.yaml"


def tiers(found: Any) -> dict[str, Tier]:
    return {finding.name: finding.tier for finding in found.findings["patients"]}


def test_a_named_source_is_opened_where_it_lies_and_never_copied(tmp_path: Path, hospital: Path) -> None:
    done = release(check(desk(tmp_path, hospital)))
    told = {finding.name: finding for finding in done.verification.findings["patients"]}
    assert all(not finding.failed and finding.tier is Tier.STEWARD for finding in told.values())
    assert told["k-map"].value > 20
    written = [path.read_bytes() for path in done.directory.rglob("*") if path.is_file()]
    assert not any(b"postal;" in content or b"R572B3B00" in content for content in written)
    text = (done.directory / "public" / "certificate.json").read_text()
    assert "people.txt" not in text
    named = json.loads(text)["policy"]["redacted"]["datasets"]["patients"]["require"][1]["parameters"]["population"]
    assert set(named) == {"salted_sha256", "separator", "columns"}
    assert named["columns"] == {"zip": "postal", "birth_date": "born"}

    alone = verify(done.directory / "public")
    assert alone.ok
    assert tiers(alone) == dict.fromkeys(told, Tier.ATTESTED)
    claimed = {finding.name: finding for finding in alone.findings["patients"]}["k-map"]
    assert (claimed.value, claimed.ok, claimed.bound) == (None, True, 20)
    assert claimed.note == NO_SALT
    assert any("attested" in caution for caution in alone.cautions)

    inside = verify(done.directory)
    assert inside.ok
    without = {"k-map": Tier.ATTESTED, "instance-disclosure": Tier.ATTESTED, "k-1-anonymity": Tier.ATTESTED}
    assert tiers(inside) == {"k-anonymity": Tier.STEWARD, "marketer-risk": Tier.STEWARD, **without}
    named_inside = {finding.name: finding for finding in inside.findings["patients"]}["k-map"]
    assert named_inside.note == NOT_AT_HAND

    beside = verify(done.directory, with_=tmp_path / "ref")
    assert beside.ok
    assert tiers(beside) == {**tiers(inside), "k-map": Tier.STEWARD, "instance-disclosure": Tier.STEWARD}
    whole = verify(done.directory, with_=tmp_path)
    assert whole.ok
    assert set(tiers(whole).values()) == {Tier.STEWARD}
    assert main(["verify", str(done.directory), "--with", str(tmp_path / "ref")]) == 0


def test_a_changed_list_is_another_list(tmp_path: Path, hospital: Path) -> None:
    done = release(check(desk(tmp_path, hospital)))
    with (tmp_path / "ref" / "people.txt").open("a") as file:
        file.write("\n")
    found = verify(done.directory, with_=tmp_path / "ref")
    assert found.ok
    assert tiers(found)["k-map"] is Tier.ATTESTED


def test_an_attested_claim_must_still_be_the_one_that_the_policy_asks_for(tmp_path: Path, hospital: Path) -> None:
    done = release(check(desk(tmp_path, hospital)))
    path = done.directory / "public" / "certificate.json"
    certificate = json.loads(path.read_text())

    def problems(name: str, value: Any) -> list[str]:
        edited = json.loads(json.dumps(certificate))
        edited["datasets"]["patients"]["findings"][1][name] = value
        path.write_text(json.dumps(edited, ensure_ascii=False))
        write_sums(path.parent)
        found = verify(done.directory / "public").problems
        return [problem for problem in found if not problem.startswith("README.html")]

    assert problems("bound", 2) == ["patients: k-map — the certificate claims something else than the files show"]
    assert "patients: the certificate itself says that k-map does not hold" in problems("ok", None)
    assert any("k-map = — people (≥ 20: FAILS)" in problem for problem in problems("ok", False))


def test_what_the_files_do_not_keep_is_not_released(tmp_path: Path, hospital: Path) -> None:
    path = desk(tmp_path, hospital, POLICY.replace("k: 20", "k: 20000"))
    with pytest.raises(VerificationFailed, match="k-map"):
        release(check(path))
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["audit.jsonl"]
    lines = (tmp_path / "ref" / "people.txt").read_text().splitlines()
    (tmp_path / "ref" / "people.txt").write_text("\n".join(lines[:40]) + "\n")
    path.write_text(POLICY)
    with pytest.raises(DataError, match=r"people\.txt — lacks released people"):
        release(check(path))


def test_mondrian_is_refused_where_it_cannot_count_people(tmp_path: Path, hospital: Path) -> None:
    path = desk(tmp_path, hospital, POLICY.replace("half-centuries", "mondrian"))
    with pytest.raises(PolicyError) as caught:
        load(path)
    told = [str(mistake) for mistake in caught.value.mistakes]
    for name in ("k-map", "instance-disclosure", "marketer-risk"):
        assert any(f"'mondrian' cannot make '{name}' hold — choose another mechanism" in line for line in told), name
    assert not any("'k-anonymity'" in line for line in told)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("max: 1/2\n", "max: 3\n", "instance-disclosure.max — max must be above 0 and at most 1, not 3"),
        ("max: 1/2\n", "max: half\n", "instance-disclosure.max — max must be a number or a fraction such as 1/11"),
        ("k: 20}", "k: many}", "k-map.k — k must be a whole number"),
        ("k: 20}", "k: 20, covers: half}", "k-map.covers — covers must be one of fully, partly"),
        ("{obesity: 1/3}", "1/3", "instance-disclosure.bounds — bounds must map values of the column to their bounds"),
    ],
)
def test_mistakes_in_a_policy_have_their_place(
    tmp_path: Path, hospital: Path, before: str, after: str, message: str
) -> None:
    with pytest.raises(PolicyError) as caught:
        load(desk(tmp_path, hospital, POLICY.replace(before, after)))
    assert [str(m).split(" — did")[0].endswith(message) or message in str(m) for m in caught.value.mistakes] == [True]


TREE = "flu;lung;*\nasthma;lung;*\ngout;joints;*\narthritis;joints;*\n"
OWN_TREE = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: {role: quasi}, illness: {role: sensitive, hierarchy: HIERARCHY}}
    require:
      - k-anonymity: {k: 2}
      - t-closeness: {t: 0.5, distance: hierarchical}
      - range-diversity: {rho: 1/4}
    using: mondrian
write: {csv: out}
"""


def own_tree(directory: Path, hierarchy: str = "{csv: ward/tree.txt}") -> Any:
    ills = ["flu", "gout", "asthma", "arthritis"]
    rows = [f"{20 + i * 7 % 40},{ills[i % 4]}" for i in range(60)]
    (directory / "ward").mkdir()
    (directory / "people.csv").write_text("age,illness\n" + "\n".join(rows) + "\n")
    (directory / "ward" / "tree.txt").write_text(TREE)
    (directory / "policy.yaml").write_text(OWN_TREE.replace("HIERARCHY", hierarchy))
    return release(check(directory / "policy.yaml"))


def hand_over_the_salt(done: Any, folder: Path) -> None:
    shutil.copy(done.directory / "internal" / "salt.json", folder)


def told_of(found: Any) -> dict[str, tuple[Tier, bool | None]]:
    return {finding.name: (finding.tier, finding.ok) for finding in found.findings["people"]}


def test_a_steward_s_own_tree_is_a_named_source(tmp_path: Path) -> None:
    done = own_tree(tmp_path)
    judged = {"t-closeness": (Tier.STEWARD, True), "range-diversity": (Tier.STEWARD, True)}
    assert told_of(done.verification) == {"k-anonymity": (Tier.RECIPIENT, True), **judged}
    attested = {"t-closeness": (Tier.ATTESTED, True), "range-diversity": (Tier.ATTESTED, True)}
    with_tree = verify(done.directory / "public", with_=tmp_path / "ward")
    for alone in (verify(done.directory / "public"), verify(done.directory), with_tree):
        assert alone.ok
        assert told_of(alone) == {"k-anonymity": (Tier.RECIPIENT, True), **attested}
        assert any("attested" in caution for caution in alone.cautions)
    hand_over_the_salt(done, tmp_path / "ward")
    with_tree = verify(done.directory / "public", with_=tmp_path / "ward")
    assert with_tree.ok
    assert told_of(with_tree) == told_of(done.verification)
    public = b"".join(path.read_bytes() for path in (done.directory / "public").iterdir())
    assert b"tree.txt" not in public
    assert b"joints" not in public


def test_another_tree_of_the_same_name_is_not_the_same(tmp_path: Path) -> None:
    done = own_tree(tmp_path)
    hand_over_the_salt(done, tmp_path / "ward")
    (tmp_path / "ward" / "tree.txt").write_text(TREE.replace("gout;joints", "gout;lung"))
    found = verify(done.directory / "public", with_=tmp_path / "ward")
    assert found.ok
    assert told_of(found)["t-closeness"] == (Tier.ATTESTED, True)


def test_a_claim_that_its_tree_does_not_keep_fails(tmp_path: Path) -> None:
    """The certificate's word is taken only as long as nobody has the tree."""
    done = own_tree(tmp_path)
    path = done.directory / "public" / "certificate.json"
    certificate = json.loads(path.read_text())
    dataset = certificate["policy"]["redacted"]["datasets"]["people"]
    dataset["require"][1]["parameters"]["t"] = certificate["datasets"]["people"]["findings"][1]["bound"] = "1/100"
    certificate["datasets"]["people"]["findings"][1]["bound"] = 0.01
    path.write_text(json.dumps(certificate, ensure_ascii=False))
    write_sums(path.parent)
    hand_over_the_salt(done, tmp_path / "ward")
    found = verify(done.directory / "public", with_=tmp_path / "ward")
    assert any("t-closeness" in problem and "FAILS" in problem for problem in found.problems)


def test_an_order_in_the_policy_is_found_in_the_internal_folder(tmp_path: Path) -> None:
    done = own_tree(tmp_path, "{order: [flu, asthma, gout, arthritis], groups: {lung: [flu, asthma]}}")
    assert told_of(done.verification)["t-closeness"] == (Tier.STEWARD, True)
    assert told_of(verify(done.directory))["t-closeness"] == (Tier.STEWARD, True)
    assert told_of(verify(done.directory / "public"))["t-closeness"] == (Tier.ATTESTED, True)
    assert "lung" not in (done.directory / "public" / "certificate.json").read_text()


def test_settings_of_a_built_in_are_public_and_followed(tmp_path: Path) -> None:
    done = own_tree(tmp_path, "{prefix: {lengths: [1]}}")
    alone = verify(done.directory / "public")
    assert alone.ok
    assert told_of(alone)["t-closeness"] == (Tier.RECIPIENT, True)
    path = done.directory / "public" / "certificate.json"
    text = path.read_text()
    assert '"lengths"' in text
    path.write_text(text.replace('"prefix": {', '"csv": {'))
    assert not verify(done.directory / "public").ok
