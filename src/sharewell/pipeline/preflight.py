"""What a release refuses before it begins: asked by `plan` too, so that nobody learns of it after the long work.

Packages that are missing, columns that would identify people, keys that cannot be read, an approval of another text, a
directory that is there already or cannot be written to, an earlier release that does not verify; and, once a dataset is
open, what its kind of data could not write.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sharewell.errors import DataError, PolicyError, SharewellError
from sharewell.io.plain_files import sha256
from sharewell.io.signatures import fingerprint, is_approval_of, read_approval
from sharewell.io.writing import refuse_existing
from sharewell.keys import Key
from sharewell.pipeline import certificate as cert
from sharewell.pipeline.verify_together import Earlier, open_earlier
from sharewell.policy.doubtful_persons import refuse_doubtful
from sharewell.policy.identifying_columns import refuse_identifying
from sharewell.policy.model import Policy
from sharewell.policy.packages import refuse_missing_packages
from sharewell.policy.secrets import resolve

_MAKES_A_PAIR = "sharewell keygen NAME"


@dataclass(frozen=True)
class Preflight:
    """What a release needs before it begins, and has."""

    target: Path
    key: Key = field(repr=False)
    key_given: bool
    """A fresh key cannot be had again."""
    signer: bytes | None = field(repr=False)
    approved_by: str | None
    earlier: Sequence[Earlier] = field(repr=False)
    replaced: str | None = None
    """The hash of the certificate of the release that this one is to replace."""

    @classmethod
    def of(cls, policy: Policy, *, replace: bool = False, lacking: list[str] | None = None) -> Preflight:
        """Raise the first thing that a release would refuse, without looking further than it has to.

        replace: an earlier release of the same name is no obstacle.
        lacking: where it is given, keys that are not there or no good are listed in it and not refused: a plan needs
        none.
        """
        refuse_missing_packages(policy)
        target = target_of(policy)
        refuse_identifying(policy)
        refuse_doubtful(policy)
        key, signer, approved_by = Key.fresh(), None, None
        with _listed(lacking):
            if policy.secrets.key is not None:
                key = Key.from_secret(resolve(policy.secrets.key, policy.path.parent))
        with _listed(lacking):
            if policy.secrets.sign is not None:
                signer = resolve(policy.secrets.sign, policy.path.parent, _MAKES_A_PAIR)
                fingerprint(signer)
            approved_by = _approval(policy, signer)
        replaced = _replaced(policy, target) if replace else None
        if replaced is None:
            _refuse_overwriting(target)
        refuse_unwritable(target)
        earlier = open_earlier(policy.release.after)
        return cls(target, key, policy.secrets.key is not None, signer, approved_by, earlier, replaced)


@contextmanager
def _listed(lacking: list[str] | None) -> Iterator[None]:
    """Refusals go to the list, if there is one."""
    try:
        yield
    except SharewellError as error:
        if lacking is None:
            raise
        lacking.append(str(error))


def target_of(policy: Policy) -> Path:
    return policy.path.parent / policy.write.directory / policy.release.name


def _refuse_overwriting(target: Path) -> None:
    """A release that is there already is named as one, with the two ways on."""
    if (target / "public" / cert.CERTIFICATE).is_file():
        hint = "give the new one another name, or replace it with `sharewell release --replace`"
        raise DataError(f"{target} — a release is already there, and is never overwritten — {hint}")
    refuse_existing(target)


def _replaced(policy: Policy, target: Path) -> str | None:
    """The hash of the certificate of the release that is to be replaced; None if there is none. Nothing but a release
    is replaced, and none on which the new one builds."""
    if not os.path.lexists(target):
        return None
    certificate = target / "public" / cert.CERTIFICATE
    if target.is_symlink() or not certificate.is_file():
        raise DataError(f"{target} — not a release, and only a release is replaced — choose another name or move it")
    if others := sum(one.name not in ("public", "internal") for one in target.iterdir()):
        problem = f"beside the release it holds {others} file(s) that would be lost"
        raise DataError(f"{target} — {problem} — move them, and replace it then")
    if any(one.resolve() == target.resolve() for one in policy.release.after):
        problem = "release.after — names the release that would be replaced — give the new release a name of its own"
        raise PolicyError(problem, policy.path.name)
    return sha256(certificate)


def refuse_unwritable(target: Path) -> None:
    """Raise DataError unless the directory could be made: its nearest parent that exists must take new entries."""
    parent = target.parent
    while not os.path.lexists(parent):
        parent = parent.parent
    if not parent.is_dir():
        raise DataError(f"{parent} — a file, and no directory to write to — choose another directory with write:")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise DataError(f"{parent} — cannot be written to — choose another directory with write:, or ask for access")


def _approval(policy: Policy, signer: bytes | None) -> str | None:
    """Who approved the policy. An approval of another text, or by the signer alone, is refused."""
    approval = read_approval(policy.path)
    if approval is None:
        return None
    if not is_approval_of(approval, policy.sha256):
        raise PolicyError(
            "the approval beside it is not for this text of the policy — approve it anew", policy.path.name
        )
    if signer is not None and approval.get("key") == fingerprint(signer):
        raise DataError("approval — made with the key that signs the release — a second person must approve")
    return approval.get("key")
