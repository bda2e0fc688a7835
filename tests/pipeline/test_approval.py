"""A second person approves the text of a policy, and nothing else."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.errors import DataError, PolicyError
from sharewell.io.signatures import new_pair, write_release_approval
from sharewell.pipeline.certificate import write_sums
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r1}
secrets: {sign: file:steward.key}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi}
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {csv: out}
"""


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text("age\n20\n21\n30\n31\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    new_pair(tmp_path / "steward")
    new_pair(tmp_path / "officer")
    return tmp_path / "policy.yaml"


def approve(policy: Path, who: str) -> int:
    return main(["approve", str(policy), "--sign", str(policy.parent / f"{who}.key")])


def approve_release(policy: Path, who: str, *options: str) -> int:
    release = policy.parent / "out" / "r1"
    return main(["approve", str(release), "--sign", str(policy.parent / f"{who}.key"), *options])


def problems(policy: Path, approver: str | None) -> list[str]:
    key = None if approver is None else policy.parent / f"{approver}.pub"
    release = policy.parent / "out" / "r1"
    found = verify(release / "public", key=policy.parent / "steward.pub", approver=key)
    options = [] if key is None else ["--approver", str(key)]
    assert main(["verify", str(release / "public"), *options]) == (0 if found.ok else 5)
    return list(found.problems)


def certificate(policy: Path) -> dict:
    return json.loads((policy.parent / "out" / "r1" / "public" / "certificate.json").read_text())


def test_an_approval_is_recorded_in_the_certificate(policy: Path) -> None:
    assert approve(policy, "officer") == 0
    release(check(policy))
    found = certificate(policy)
    assert found["policy"]["approved_by"]
    assert found["policy"]["approved_by"] != found["signed_by"]


def test_without_an_approval_the_certificate_says_so(policy: Path) -> None:
    release(check(policy))
    assert certificate(policy)["policy"]["approved_by"] is None


def test_a_changed_policy_makes_the_approval_void(policy: Path) -> None:
    approve(policy, "officer")
    policy.write_text(POLICY.replace("k: 2", "k: 3"))
    with pytest.raises(PolicyError, match="not for this text"):
        release(check(policy))


def test_a_forged_approval_is_refused(policy: Path) -> None:
    """The hash is right, the signature is not."""
    approve(policy, "officer")
    path = policy.with_name("policy.yaml.approval")
    content = json.loads(path.read_text())
    content["signature"] = content["signature"][:-8] + "AAAAAA=="
    path.write_text(json.dumps(content))
    with pytest.raises(PolicyError, match="not for this text"):
        release(check(policy))


def test_the_signer_cannot_approve_alone(policy: Path) -> None:
    approve(policy, "steward")
    with pytest.raises(DataError, match="a second person must approve"):
        release(check(policy))


def test_a_policy_with_mistakes_is_not_approved(policy: Path) -> None:
    policy.write_text(POLICY.replace("k-anonymity", "k-anonimity"))
    assert approve(policy, "officer") == 2


def test_a_release_is_approved_by_a_second_person(policy: Path) -> None:
    release(check(policy))
    assert any("the release is not approved" in p for p in problems(policy, "officer"))
    assert approve_release(policy, "officer", "--key", str(policy.parent / "steward.pub")) == 0
    assert problems(policy, "officer") == []
    found = verify(policy.parent / "out" / "r1", approver=policy.parent / "officer.pub")
    assert found.ok
    assert found.approval.startswith("approved by ")
    assert verify(policy.parent / "out" / "r1").approval == "approved, but approver not established: give --approver"
    assert approve_release(policy, "officer") == 3, "an approval is never replaced"


def test_an_author_who_approves_with_a_second_key_is_found_out_by_who_pins_the_approver(policy: Path) -> None:
    new_pair(policy.parent / "second")
    approve(policy, "second")
    release(check(policy))
    approve_release(policy, "second")
    assert problems(policy, None) == [], "nobody can tell whose key it is …"
    assert any("not an approval by the given approver" in p for p in problems(policy, "officer")), "… without this one"


def test_who_approved_the_policy_alone_has_not_approved_the_release(policy: Path) -> None:
    approve(policy, "officer")
    release(check(policy))
    assert any("the release is not approved" in p for p in problems(policy, "officer"))


def test_the_signer_cannot_approve_the_release_either(policy: Path) -> None:
    release(check(policy))
    assert approve_release(policy, "steward") == 3
    approval = write_own_approval(policy)
    assert any("made with the key that signs the release" in p for p in problems(policy, "steward"))
    approval.unlink()


def write_own_approval(policy: Path) -> Path:
    path = policy.parent / "out" / "r1" / "public" / "certificate.approval"
    digest = hashlib.sha256(path.with_name("certificate.json").read_bytes()).hexdigest()
    write_release_approval(path, digest, (policy.parent / "steward.key").read_bytes())
    return path


def test_an_approval_is_void_once_the_release_changes(policy: Path) -> None:
    release(check(policy))
    approve_release(policy, "officer")
    path = policy.parent / "out" / "r1" / "public" / "certificate.json"
    path.write_text(path.read_text().replace('"recipient": ""', '"recipient": "somebody"'))
    write_sums(path.parent)
    assert any("certificate.approval — not an approval of this certificate" in p for p in problems(policy, "officer"))


def test_a_release_that_does_not_verify_is_not_approved(policy: Path) -> None:
    release(check(policy))
    with (policy.parent / "out" / "r1" / "public" / "people.csv").open("a") as file:
        file.write("[1-2]\n")
    assert approve_release(policy, "officer") == 5
    assert not (policy.parent / "out" / "r1" / "public" / "certificate.approval").exists()


def test_keys_are_private_and_never_overwritten(tmp_path: Path) -> None:
    assert main(["keygen", str(tmp_path / "steward")]) == 0
    assert stat.S_IMODE((tmp_path / "steward.key").stat().st_mode) == 0o600
    assert main(["keygen", str(tmp_path / "steward")]) == 3
    assert main(["keygen", "--secret", str(tmp_path / "release.key")]) == 0
    assert main(["keygen", "--secret", str(tmp_path / "release.key")]) == 3


BROKEN = b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"


@pytest.mark.parametrize("content", [b"", b"not a key", BROKEN])
def test_a_file_that_is_no_key_is_refused(policy: Path, content: bytes) -> None:
    (policy.parent / "steward.key").write_bytes(content)
    with pytest.raises(DataError, match=r"signing key|file is empty"):
        release(check(policy))


def test_a_policy_that_names_a_missing_key_is_told_how_to_make_one(policy: Path) -> None:
    (policy.parent / "steward.key").unlink()
    with pytest.raises(DataError, match=r"file:steward.key — no such file — .*`sharewell keygen NAME`"):
        release(check(policy))
    assert not (policy.parent / "out").exists()


def test_an_unsigned_release_says_so_first(policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """On the dossier's first page, and in plain words wherever it is made or verified."""
    policy.write_text(POLICY.replace("secrets: {sign: file:steward.key}\n", ""))
    assert main(["release", str(policy)]) == 0
    assert "caution  Unsigned: someone could alter the files" in capsys.readouterr().out
    assert main(["verify", str(policy.parent / "out" / "r1")]) == 0
    shown = capsys.readouterr().out
    assert "caution  Unsigned: someone could have altered the files and recomputed the hashes." in shown
    assert shown.rstrip().endswith("who made the release is not established")
    page = (policy.parent / "out" / "r1" / "internal" / "dossier.html").read_text()
    first = page.index("Unsigned: someone could have altered the files and recomputed the hashes.")
    assert first < page.index("<h2", page.index("<h2") + 1), "before the second section"


def test_a_key_file_that_others_can_read_is_told(policy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (policy.parent / "steward.key").chmod(0o644)
    assert main(["release", str(policy)]) == 0
    assert "caution  file:steward.key — others than its owner can read this key" in capsys.readouterr().out
