"""A claim is held against the policy that its certificate embeds, also where a forger changed both with care."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline.forged_releases import content_of, put

from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = {"visits": "visits", "perturbed": "noisy", "diagnoses": "diagnoses", "reports-table": "patients-by-ward"}
Change = Callable[[dict[str, Any], dict[str, Any]], Any]
"""Of what the embedded policy asks for, and what is claimed."""


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = Path(shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("claims") / "examples"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHAREWELL_KEY", "a secret for tests, of no use elsewhere")
        return {name: release(check(place / name / "policy.yaml")).directory for name in NAMES}


def forged(release: Path, place: Path, dataset: str, change: Change) -> Path:
    copied = Path(shutil.copytree(release, place / "release"))
    shutil.rmtree(copied / "internal")
    content = content_of(copied)
    change(content["policy"]["redacted"]["datasets"][dataset], content["datasets"][dataset])
    put(copied, content)
    return copied


def no_persons(asked: dict[str, Any], claim: dict[str, Any]) -> None:
    for one in (asked, claim):
        one["persons"] = "none"
    claim.pop("persons_sha256", None)
    claim["unit"] = "records"


def no_subject(asked: dict[str, Any], claim: dict[str, Any]) -> None:
    """No persons, and no column that the policy calls so; the labels of subject columns are forgotten."""
    no_persons(asked, claim)
    asked["subject"] = "none"
    for columns in (asked["columns"], claim["columns"]):
        columns["person"] = {"role": "keep"}


def both(key: str, value: Any) -> Change:
    def change(asked: dict[str, Any], claim: dict[str, Any]) -> None:
        asked["using"][key], claim["mechanism"][key] = value, value

    return change


FORGERIES: dict[str, tuple[str, str, Change]] = {
    "records claimed, and the policy protects persons": (
        *("visits", "something else than the persons"),
        lambda asked, claim: claim.update(unit="records"),
    ),
    "no persons, and the file shows their pseudonyms": ("visits", "contradict each other", no_persons),
    "no persons, and the policy has a subject": ("visits", "names a subject", no_subject),
    "persons, and the policy has no subject": (
        *("visits", "names no subject"),
        lambda asked, claim: asked.update(subjects=[]),
    ),
    "pseudonyms called by another word": (
        *("visits", "pseudonyms"),
        lambda asked, claim: claim["columns"]["person"].update(style="names"),
    ),
    "another style": (
        *("visits", "style that columns of its kind do not have"),
        lambda asked, claim: claim["columns"]["age"].update(style="set"),
    ),
    "another kind and style": (
        *("visits", "not the type that the embedded policy"),
        lambda asked, claim: claim["columns"]["age"].update(kind="text", style="set"),
    ),
    "another kind and style, in the policy too": (
        *("visits", "not written in the style"),
        lambda asked, claim: (
            asked["columns"]["age"].update(type="text"),
            claim["columns"]["age"].update(kind="text", style="set"),
        ),
    ),
    "more of the time of day": (
        *("visits", "time of day"),
        lambda asked, claim: claim["columns"]["admitted"].update(time="keep"),
    ),
    "noise that is said to be none": (
        *("perturbed", "whether it falsifies"),
        lambda asked, claim: claim["mechanism"].pop("falsifies"),
    ),
    "truth that is said to be noise": (
        *("visits", "whether it falsifies"),
        lambda asked, claim: claim["mechanism"].update(falsifies=True),
    ),
    "other parameters of the mechanism": (
        *("visits", "parameters of the mechanism"),
        lambda asked, claim: claim["mechanism"]["parameters"].update(split="gain"),
    ),
    "codes of visits instead of persons": (
        *("diagnoses", "something else than the persons"),
        lambda asked, claim: claim.update(unit="visits"),
    ),
    "a title of a code": (
        *("diagnoses", "stand for something else"),
        lambda asked, claim: next(iter(claim["columns"]["code"]["labels"].values())).update(title="Health"),
    ),
    "counts that have no categories above them": (
        *("reports-table", "do not add up"),
        lambda asked, claim: claim["columns"]["ward"].pop("above"),
    ),
    "counts with decimals": (
        *("reports-table", "no decimals"),
        lambda asked, claim: claim["columns"]["count"].update(decimals=1),
    ),
    "numbers that are said to be rounded": (
        *("reports-table", "not rounded"),
        lambda asked, claim: claim["columns"]["count"].update(
            rounded={"base": 5, "to": "nearest", "floor": 0, "reach": 1}
        ),
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_public_files_contradict_it(
    releases: dict[str, Path], tmp_path: Path, forgery: tuple[str, str, Change]
) -> None:
    name, words, change = forgery
    found = verify(forged(releases[name], tmp_path, NAMES[name], change))
    assert any(words in problem for problem in found.problems), found.problems
