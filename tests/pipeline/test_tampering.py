"""A release that was touched is found out, and everything that is wrong is listed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pipeline.forged_releases import put_page

from sharewell.cli import main
from sharewell.io.plain_files import sha256
from sharewell.io.signatures import new_pair, sign
from sharewell.pipeline.certificate import Layout, file_hashes, write_sums
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check


@pytest.fixture
def copy(small_demo: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(small_demo / "release", tmp_path / "release"))


def change_one_cell(release: Path) -> None:
    path = release / "public" / "patients.parquet"
    table = pq.read_table(path)
    cells = table["zip"].to_pylist()
    cells[0] = "99999"
    pq.write_table(table.set_column(table.column_names.index("zip"), "zip", pa.array(cells)), path)


def drop_a_row(release: Path) -> None:
    path = release / "public" / "patients.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)


def edit_certificate(release: Path, change: Callable[[dict], None]) -> None:
    path = release / "public" / "certificate.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def rehash(release: Path) -> None:
    """What a careful forger does: make every hash fit again."""
    public = release / "public"
    edit_certificate(release, lambda c: c.update(files=file_hashes(public)))
    write_sums(public)


def problems(release: Path, key: Path | None = None) -> list[str]:
    return list(verify(release, key=key).problems)


def test_an_untouched_release_verifies(copy: Path, small_demo: Path) -> None:
    assert problems(copy, small_demo / "steward.pub") == []
    assert main(["verify", str(copy), "--key", str(small_demo / "steward.pub")]) == 0


def test_the_public_folder_alone_verifies_with_fewer_tiers(copy: Path) -> None:
    shutil.rmtree(copy / "internal")
    found = verify(copy / "public")
    assert found.ok
    for name in ("patients", "visits", "diagnoses"):  # their files show whose each record is
        assert {f.tier for f in found.findings[name]} == {"recipient"}
    assert {f.tier for f in found.findings["notes"]} == {"attested"}
    assert any("attested" in caution for caution in found.cautions)


VISITS = """\
sharewell: 1
release: {name: visits}
datasets:
  visits:
    kind: tables
    read: {csv: visits.csv}
    columns: {who: subject, ward: quasi}
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {csv: .}
"""


def test_the_internal_folder_makes_a_steward(tmp_path: Path) -> None:
    """Where the file does not show whose its records are."""
    (tmp_path / "visits.csv").write_text("who,ward\n" + "a,x\na,x\nb,x\nc,y\nd,y\n")
    (tmp_path / "policy.yaml").write_text(VISITS)
    made = release(check(tmp_path / "policy.yaml")).directory
    assert {f.tier for f in verify(made).findings["visits"]} == {"steward"}
    moved = tmp_path / "elsewhere"
    shutil.move(made / "internal", moved)
    assert {f.tier for f in verify(made / "public").findings["visits"]} == {"attested"}
    assert {f.tier for f in verify(made / "public", with_=moved).findings["visits"]} == {"steward"}


def test_the_internal_folder_and_the_named_sources_make_a_steward(copy: Path, small_demo: Path) -> None:
    assert {f.tier for f in verify(copy).findings["notes"]} == {"attested"}
    assert {f.tier for f in verify(copy, with_=small_demo / "hospital").findings["notes"]} == {"steward"}


def test_one_changed_cell_fails_file_and_criteria(copy: Path) -> None:
    change_one_cell(copy)
    assert main(["verify", str(copy)]) == 5
    found = problems(copy)
    assert any("patients.parquet — changed since the release" in p for p in found)
    assert any("patients: k-anonymity" in p and "FAILS" in p for p in found)
    assert any("patients: l-diversity" in p and "FAILS" in p for p in found)


def test_a_dropped_row_fails(copy: Path) -> None:
    drop_a_row(copy)
    assert any("rows where the certificate says" in p for p in problems(copy))


def test_an_edited_certificate_fails(copy: Path) -> None:
    edit_certificate(copy, lambda c: c["release"].update(recipient="somebody else"))
    assert any("certificate.json — changed" in p for p in problems(copy))


def test_an_edited_policy_fails_even_if_every_hash_is_made_to_fit(copy: Path) -> None:
    """Asking for less than was promised does not get past the steward's own copy of the policy."""
    edit_certificate(copy, lambda c: c["policy"]["redacted"]["datasets"]["patients"]["require"].pop())
    rehash(copy)
    found = problems(copy)
    assert any("claims are not those that the embedded policy requires" in p for p in found)
    assert any("not the one that was followed" in p for p in found)


def test_a_consistent_forgery_fails_against_the_key(copy: Path, small_demo: Path) -> None:
    """Whoever rewrites everything, and takes the signature off, is found out by those who ask for it."""

    def relabel(certificate: dict) -> None:
        for told in (certificate["release"], certificate["policy"]["redacted"]["release"]):
            told["recipient"] = "somebody else"
        certificate["signed_by"] = None

    shutil.rmtree(copy / "internal")
    edit_certificate(copy, relabel)
    (copy / "public" / "certificate.sig").unlink()
    edit_certificate(copy, lambda c: put_page(copy / "public", c))
    rehash(copy)
    assert problems(copy) == [], "without a key a consistent rewrite of this kind cannot be detected …"
    told = "Unsigned: someone could have altered the files and recomputed the hashes."
    assert any(c.startswith(told) for c in verify(copy).cautions), "… and verify says so"
    assert any("certificate.sig" in p for p in problems(copy, small_demo / "steward.pub"))


FORGERIES = {
    "a quasi column passed off as kept": lambda c: c["datasets"]["patients"]["columns"]["zip"].update(role="keep"),
    "records passed off as persons": lambda c: c["datasets"]["visits"].update(persons="none"),
    "a word that no criterion knows": lambda c: c["policy"]["redacted"]["datasets"]["patients"]["require"][0][
        "parameters"
    ].update(unit="bogus"),
    "a tier raised": lambda c: c["datasets"]["notes"]["findings"][0].update(tier="recipient"),
    "a tier lowered": lambda c: c["datasets"]["visits"]["findings"][0].update(tier="steward"),
    "a joint tier lowered": lambda c: c["together"]["judged"][0].update(tier="steward"),
    "nothing claimed": lambda c: (c["datasets"].clear(), c["policy"]["redacted"]["datasets"].clear()),
    "no criterion": lambda c: (
        c["policy"]["redacted"]["datasets"]["visits"]["require"].clear(),
        c["datasets"]["visits"]["findings"].clear(),
    ),
    "a deviation hidden": lambda c: c.update(deviations=["none to speak of"]),
    "an approval invented": lambda c: c["policy"].update(approved_by="0" * 32),
    "a file elsewhere": lambda c: c["datasets"]["visits"].update(file="../../visits.parquet"),
    "a file without a name": lambda c: c["datasets"]["visits"].update(file=["visits.parquet"]),
    "a file name without end": lambda c: c["datasets"]["visits"].update(file="x" * 5000),
    "files not named": lambda c: c.update(files=7),
    "the salt of another release": lambda c: c["salt"].update(nonce="0" * 32),
    "no salt": lambda c: c.pop("salt"),
    "another policy": lambda c: c["policy"].update(salted_sha256="0" * 64),
    "no commitment to a key": lambda c: c.pop("key_commitment"),
}


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES)
def test_a_certificate_that_is_not_at_one_with_itself_fails(copy: Path, change: Callable[[dict], None]) -> None:
    """Even if the sums are made to fit."""
    edit_certificate(copy, change)
    write_sums(copy / "public")
    (copy / "public" / "certificate.sig").unlink()
    found = problems(copy)
    assert [p for p in found if "certificate.sig" not in p and "manifest" not in p]


def test_everything_in_the_public_folder_is_accounted_for(copy: Path) -> None:
    public = copy / "public"
    (public / "link.parquet").symlink_to(public / "patients.parquet")
    (public / "folder").mkdir()
    (public / "raw.csv").write_text("name\nAshley\n")
    edit_certificate(copy, lambda c: c.update(files=file_hashes(public)))
    write_sums(public)
    found = "\n".join(problems(copy))
    for name in ("link.parquet — not a plain file", "folder — not a plain file", "raw.csv — belongs to no dataset"):
        assert name in found


def test_a_release_inside_another_is_not_taken_for_it(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "certificate.json").write_text("{}")
    assert main(["verify", str(copy)]) == 3
    assert "its public folder another" in capsys.readouterr().err


def test_marking_one_column_hides_nobody(copy: Path) -> None:
    """A row is withheld only if it shows nothing: the marker in one column does not take it out of its class."""
    path = copy / "public" / "patients.parquet"
    table = pq.read_table(path)
    zips, sexes = table["zip"].to_pylist(), table["sex"].to_pylist()
    zips[0], sexes[0] = "99999", "<suppressed>"
    for name, cells in (("zip", zips), ("sex", sexes)):
        table = table.set_column(table.column_names.index(name), name, pa.array(cells))
    pq.write_table(table, path)
    rehash(copy)
    assert any("k-anonymity" in p and "FAILS" in p for p in problems(copy))


def test_a_signature_by_another_key_fails(copy: Path, small_demo: Path, tmp_path: Path) -> None:
    private, _ = new_pair(tmp_path / "stranger")
    signature = sign((copy / "public" / "certificate.json").read_bytes(), private.read_bytes())
    (copy / "public" / "certificate.sig").write_text(json.dumps(signature))
    assert any("given key" in p for p in problems(copy, small_demo / "steward.pub"))


def test_a_missing_signature_fails_if_a_key_is_given(copy: Path, small_demo: Path) -> None:
    (copy / "public" / "certificate.sig").unlink()
    assert any("missing" in p for p in problems(copy, small_demo / "steward.pub"))
    assert main(["verify", str(copy), "--key", str(small_demo / "steward.pub")]) == 5


def test_every_failure_is_listed_not_only_the_first(copy: Path) -> None:
    change_one_cell(copy)
    (copy / "public" / "visits.parquet").write_bytes(b"not parquet")
    (copy / "public" / "extra.csv").write_text("a\n1\n")
    (copy / "public" / "dictionary.json").unlink()
    found = "\n".join(problems(copy))
    for sign_of in ("patients.parquet", "patients: k-anonymity", "visits.parquet", "extra.csv", "dictionary.json"):
        assert sign_of in found


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"sharewell": 2}', '{"sharewell": 2, "datasets": 7}', "\x00"])
def test_a_ruined_certificate_is_reported_not_a_traceback(copy: Path, content: str) -> None:
    (copy / "public" / "certificate.json").write_text(content)
    assert problems(copy)


def test_swapped_evidence_is_refused(copy: Path) -> None:
    """Making persons look more numerous in internal/ does not raise a claim."""
    path = copy / "internal" / "persons" / "notes.parquet"
    rows = pq.read_table(path).num_rows
    pq.write_table(pa.table({"person": [f"p{i}" for i in range(rows)]}), path)
    assert any("not the file that was certified" in p for p in problems(copy))


def edit_text(path: Path, before: str = "e", after: str = "x") -> None:
    path.write_text(path.read_text().replace(before, after, 1))


INSIDE = {
    "the dossier edited": lambda i: edit_text(i / "dossier.html"),
    "the findings edited": lambda i: edit_text(i / "findings.json"),
    "the findings deleted": lambda i: (i / "findings.json").unlink(),
    "evidence deleted": lambda i: (i / "persons" / "notes.parquet").unlink(),
    "all evidence deleted": lambda i: shutil.rmtree(i / "persons"),
    "the policy edited": lambda i: edit_text(i / "policy.yaml"),
    "the policy deleted": lambda i: (i / "policy.yaml").unlink(),
    "the embedded policy deleted": lambda i: (i / "redacted.json").unlink(),
    "the salt deleted": lambda i: (i / "salt.json").unlink(),
    "the salt replaced": lambda i: edit_text(i / "salt.json", '"salt": "', '"salt": "00'),
    "the manifest deleted": lambda i: (i / "manifest.json").unlink(),
    "the manifest emptied": lambda i: (i / "manifest.json").write_text("{}"),
    "the signature of the manifest deleted": lambda i: (i / "manifest.sig").unlink(),
    "everything deleted": lambda i: [p.unlink() for p in i.rglob("*") if p.is_file()],
}


@pytest.mark.parametrize("change", INSIDE.values(), ids=INSIDE)
def test_an_edit_of_the_internal_folder_fails(copy: Path, small_demo: Path, change: Callable[[Path], object]) -> None:
    change(copy / "internal")
    assert any("internal/" in p for p in problems(copy, small_demo / "steward.pub"))
    assert any("internal/" in p for p in problems(copy))


def test_an_edited_dossier_fails_even_if_its_hash_is_made_to_fit(copy: Path, small_demo: Path) -> None:
    dossier, manifest = copy / "internal" / "dossier.html", copy / "internal" / "manifest.json"
    before = sha256(dossier)
    edit_text(dossier)
    edit_text(manifest, before, sha256(dossier))
    assert any("manifest.sig" in p for p in problems(copy, small_demo / "steward.pub"))
    private, _ = new_pair(copy.parent / "stranger")
    write_manifest(Layout(copy / "public", copy / "internal"), private.read_bytes())
    assert any("manifest.sig" in p for p in problems(copy, small_demo / "steward.pub"))


def test_a_manifest_belongs_to_one_certificate(copy: Path) -> None:
    edit_certificate(copy, lambda c: c["versions"].update(python="3.0"))
    write_sums(copy / "public")
    assert any("internal/manifest.json — belongs to another certificate" in p for p in problems(copy))


def test_what_nothing_speaks_for_is_listed(copy: Path, small_demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / "internal" / "remarks.txt").write_text("mine")
    (copy.parent / "audit.jsonl").write_text("{}\n")
    found = verify(copy, key=small_demo / "steward.pub")
    assert found.ok
    assert found.not_covered == ("internal/remarks.txt: not part of the release", "audit.jsonl beside the release")
    assert main(["verify", str(copy)]) == 0
    assert "internal/remarks.txt" in capsys.readouterr().out
    shutil.rmtree(copy / "internal")
    assert verify(copy).not_covered == ("internal/: not at hand",)


def test_verify_of_something_else_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path)]) == 3
    assert "not a release" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "nothing")]) == 3
