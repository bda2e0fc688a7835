"""The demo: a synthetic hospital, its keys, a policy, and the release made from them."""

from __future__ import annotations

from pathlib import Path

from sharewell.hospital import Hospital
from sharewell.io.shipped import shipped_text
from sharewell.io.signatures import new_pair, new_secret
from sharewell.io.writing import make_directories, write_text
from sharewell.pipeline.run import Released, release
from sharewell.policy import check
from sharewell.progress import Progress


def demo(
    directory: Path,
    *,
    patients: int = 1_000,
    seed: int = 7,
    replace: bool = False,
    progress: Progress = lambda step: None,
) -> Released:
    """Write DIRECTORY/hospital, keys and policy.yaml (what is not there yet), and release to DIRECTORY/release."""
    make_directories(directory)
    if not (directory / "hospital").is_dir():
        progress(f"generating {patients:,} synthetic patients")
        make_directories(directory / "hospital")
        Hospital(patients=patients, seed=seed).write(directory / "hospital")
    if not (directory / "release.key").is_file():
        new_secret(directory / "release.key")
    if not (directory / "steward.key").is_file():
        new_pair(directory / "steward")
    if not (directory / "policy.yaml").is_file():
        write_text(directory / "policy.yaml", shipped_text("demo/policy.yaml"))
    return release(check(directory / "policy.yaml"), progress, replace=replace)
