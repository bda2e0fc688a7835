"""A release of codes after an earlier one of the same people: judged together, refused, and verified again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import main
from sharewell.errors import Infeasible
from sharewell.findings import Finding
from sharewell.pipeline.run import Released, release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

SECRET = "a secret of the steward, of no use elsewhere"
COMMON = ["401.1", "401.9", "250.00", "250.01"]
PATIENTS = {f"p{i}": [COMMON[i % 2], COMMON[2 + i // 2 % 2]] for i in range(24)}
"""Six have each pair of codes."""
BEFORE = {f"p{i}": ["401.1"] if i < 12 else ["401.9"] for i in range(24)}
AFTER = BEFORE | {"p0": ["401.9"], "p12": ["401.1"]}
"""Two of them have changed places."""


def codes(**changed: Any) -> dict[str, Any]:
    usual = {
        "kind": "codes",
        "read": {"csv": "dx.csv"},
        "columns": {"who": "subject", "code": {"role": "quasi", "hierarchy": "icd9cm"}},
        "require": [{"km-anonymity": {"k": 3, "m": 2}}],
        "using": "apriori",
    }
    return usual | changed


def desk(place: Path, patients: Mapping[str, Sequence[str]], name: str, after: Sequence[str], **changed: Any) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    rows = [f"{who},{code}" for who, held in patients.items() for code in held]
    (place / "dx.csv").write_text("\n".join(["who,code", *rows]) + "\n")
    (place / "secret").write_text(changed.pop("secret", SECRET))
    claimed = {"same_identifiers": True} if changed.pop("same_identifiers", False) else {}
    told = {"sharewell": 1, "release": {"name": name, "after": list(after), **claimed}}
    told |= {"secrets": {"key": "file:secret"}, "datasets": {"dx": codes(**changed)}, "write": {"csv": "out"}}
    (place / "policy.yaml").write_text(json.dumps(told))
    return place / "policy.yaml"


def first(place: Path, patients: Mapping[str, Sequence[str]] = PATIENTS, **changed: Any) -> Released:
    return release(check(desk(place / "one", patients, "r1", [], **changed)))


def second(place: Path, patients: Mapping[str, Sequence[str]] = PATIENTS, **changed: Any) -> Released:
    return release(check(desk(place / "two", patients, "r2", ["../one/out/r1"], **changed)))


def together(done: Released, **how: Any) -> Finding:
    (finding,) = verify(done.directory, **how).findings["datasets together"]
    return finding


def test_the_same_labels_again_are_published_and_verified(tmp_path: Path) -> None:
    before = first(tmp_path)
    after = second(tmp_path)
    finding = together(after, earlier=[before.directory])
    assert (finding.name, finding.ok, finding.tier) == ("codes-together", True, "steward")
    assert together(after).tier == "attested"
    certificate = json.loads((after.directory / "public" / "certificate.json").read_text())
    assert certificate["together"]["not_judged"] == []
    assert main(["verify", str(after.directory), "--earlier", str(before.directory)]) == 0


def test_what_holds_alone_and_singles_somebody_out_together_is_refused(tmp_path: Path) -> None:
    """Twelve have each code in both releases; one has the first in the one and the second in the other."""
    first(tmp_path / "alone", AFTER)
    first(tmp_path, BEFORE)
    with pytest.raises(Infeasible, match="nothing was released") as refused:
        second(tmp_path, AFTER, same_identifiers=True)
    assert "dx and dx of r1: codes-together" in str(refused.value)
    assert "km-anonymity of dx fails" in str(refused.value)
    assert "labels that the earlier release has" in str(refused.value)
    categories = {who: ["401"] for who in AFTER}
    coarser = second(tmp_path, categories, same_identifiers=True)
    assert together(coarser, earlier=[tmp_path / "one" / "out" / "r1"]).ok


def test_a_release_keeps_its_own_k_beside_the_earlier_labels(tmp_path: Path) -> None:
    """The new one promises 13, and shows one label; the earlier one tells the twelve with each code apart."""
    first(tmp_path, BEFORE)
    with pytest.raises(Infeasible, match="codes-together"):
        second(tmp_path, BEFORE, require=[{"km-anonymity": {"k": 13, "m": 1}}])


def test_renumbered_persons_and_another_secret_leave_it_undecided(tmp_path: Path) -> None:
    first(tmp_path)
    with pytest.raises(Infeasible, match="same column under the same secret key"):
        second(tmp_path, secret="another secret of the steward, as long")
    renumbered = {f"n{who}": held for who, held in PATIENTS.items()}
    with pytest.raises(Infeasible, match="fewer than half of the persons are in both dx"):
        second(tmp_path, renumbered)
    shuffled = dict(zip(PATIENTS, sorted(PATIENTS.values()), strict=True))
    with pytest.raises(Infeasible, match=r"strangers|km-anonymity of dx"):
        second(tmp_path, shuffled)


def test_newcomers_by_themselves_are_published_by_whoever_claims_it(tmp_path: Path) -> None:
    before = first(tmp_path)
    newcomers = {f"n{who}": held for who, held in PATIENTS.items()}
    after = second(tmp_path, newcomers, same_identifiers=True)
    assert together(after, earlier=[before.directory]).ok


def test_without_the_internal_folder_it_is_undecided(tmp_path: Path) -> None:
    first(tmp_path)
    shutil.rmtree(tmp_path / "one" / "out" / "r1" / "internal")
    with pytest.raises(Infeasible, match="dx of r1 publishes is recorded in its internal/ folder"):
        second(tmp_path)


def test_names_of_persons_stay_out_of_the_evidence(tmp_path: Path) -> None:
    done = first(tmp_path, {f"Mrs-{who}-Canary": held for who, held in PATIENTS.items()})
    assert (done.directory / "internal" / "dx" / "_people.parquet").is_file()
    for path in done.directory.rglob("*"):
        assert path.is_dir() or b"Canary" not in path.read_bytes(), path.name


VISITS = {"who": "subject", "visit": "drop", "code": {"role": "quasi", "hierarchy": "icd9cm"}}
EVERY = {"columns": VISITS, "visit": "visit", "unit": "visit"}
DELETED = {"require": [{"km-anonymity": {"k": 2, "m": 1}}], "using": "local-suppression"}
LISTED = {"require": [{"privacy-policy": {"k": 2, "itemsets": [["401.1"]]}}], "using": "pcta"}


def visits(place: Path, rows: Sequence[str], name: str, after: Sequence[str], **changed: Any) -> Released:
    policy = desk(place, {}, name, after, **EVERY, **changed)
    (place / "dx.csv").write_text("\n".join(["who,visit,code", *rows]) + "\n")
    return release(check(policy))


def test_visits_are_joined_visit_by_visit(tmp_path: Path) -> None:
    """One visit of two shows a code in the second release alone; the person's other visit is no second record of it."""
    rows = ["p1,v1,401.1", "p1,v2,401.1", "p1,v2,250.00", "p2,v1,401.1", "p3,v1,401.1"]
    before = visits(tmp_path / "one", rows, "r1", [], **DELETED)
    with pytest.raises(Infeasible, match="km-anonymity of dx of r1 fails for 1 combinations"):
        visits(tmp_path / "two", rows, "r2", ["../one/out/r1"], **LISTED)
    after = visits(tmp_path / "two", rows, "r2", ["../one/out/r1"], **DELETED)
    assert together(after, earlier=[before.directory]).ok


def test_visits_of_two_files_are_undecided_unless_nobody_has_several(tmp_path: Path) -> None:
    rows = [f"p{i},v{i},401.1" for i in range(12)]
    visits(tmp_path / "one", rows, "r1", [], **DELETED)
    again = visits(tmp_path / "two", [*rows[:6], *rows[:5:-1]], "r2", ["../one/out/r1"], **DELETED)
    assert together(again, earlier=[tmp_path / "one" / "out" / "r1"]).ok
    with pytest.raises(Infeasible, match="which visits of dx and dx of r1 are the same cannot be told"):
        visits(tmp_path / "three", [*rows, "p0,v12,401.1"], "r3", ["../one/out/r1"], **DELETED)
