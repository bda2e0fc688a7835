"""A second person approves the text of a policy, and nothing else."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.errors import DataError, PolicyError
from sharewell.io.signatures import new_pair
from sharewell.policy import check
from sharewell.release.run import release

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
