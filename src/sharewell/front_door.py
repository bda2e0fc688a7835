"""The verbs of the pipeline as functions: a policy may be given as a file's name, a release as a folder's name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sharewell.io.sources import Source
from sharewell.pipeline import plan as planning
from sharewell.pipeline import run as running
from sharewell.pipeline import verify as verifying
from sharewell.policy import Policy, check
from sharewell.progress import Progress

PathLike = Path | str


def plan(policy: Policy | PathLike, progress: Progress = lambda step: None, *, preview: bool = False) -> planning.Plan:
    """What a release would do with each dataset, and the risks before. Changes nothing.

    With `preview`, each dataset also has `.preview`: `.columns`, what becomes of each column, and `.rows`, a dozen
    published rows.
    """
    return planning.plan(_checked(policy), progress, preview=preview)


def release(
    policy: Policy | PathLike,
    progress: Progress = lambda step: None,
    processes: int = 1,
    *,
    replace: bool = False,
) -> running.Released:
    """Protect, write, verify, attack, measure, certify: the release that the policy describes, or an error and nothing.

    replace: an earlier release of the same name is replaced, once the new one is verified.
    A script that asks for more than one process runs its own code under `if __name__ == "__main__"`.
    """
    return running.release(_checked(policy), progress, processes, replace=replace)


def verify(
    directory: PathLike,
    *,
    with_: PathLike | None = None,
    key: PathLike | None = None,
    approver: PathLike | None = None,
    secret: bytes | None = None,
    sources: Sequence[Source] = (),
    earlier: Sequence[PathLike] = (),
) -> verifying.Verification:
    """Judge a release directory, or a public folder with (`with_`) or without internal evidence.

    key, approver: the public keys that must have signed and approved the release.
    secret: the secret key of the release; it must be the one that the certificate commits to.
    sources, earlier: files, and folders of earlier releases, that the policy names.
    """
    return verifying.verify(
        Path(directory),
        with_=_path(with_),
        key=_path(key),
        approver=_path(approver),
        secret=secret,
        sources=sources,
        earlier=[Path(one) for one in earlier],
    )


def _checked(policy: Policy | PathLike) -> Policy:
    return policy if isinstance(policy, Policy) else check(policy)


def _path(given: PathLike | None) -> Path | None:
    return None if given is None else Path(given)
