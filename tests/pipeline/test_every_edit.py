"""Whatever is edited in the certificate of an unsigned release: verify fails, or its report says something else.

The rule. What the published files, or the policy that the certificate embeds, decide must not be taken from the
certificate: verify fails. What internal/ decides: verify of the whole release fails. What nothing decides is shown for
what it is, so that whoever reads the report sees the weaker claim.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from pipeline.forged_releases import GONE, Place, at, content_of, edited, places, put, report, says_nothing, variants
from pipeline.plain_datasets import World, policy

from sharewell.pipeline.certificate import DICTIONARY
from sharewell.pipeline.run import release
from sharewell.policy import check

EXAMPLES = Path(__file__).parents[2] / "examples"
SORTS = [("30", "a"), ("30", "b"), ("31", "a"), ("31", "b")]


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Records with pseudonyms; several kinds of data about the same people; and a table after an earlier one."""
    place = tmp_path_factory.mktemp("edited")
    examples = Path(shutil.copytree(EXAMPLES, place / "examples"))
    world = World([(sort, "AATT") for sort in SORTS * 4], [[("flu", 100 + i, "401.1")] for i in range(16)])
    world.write(place / "world")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_BATTERY_KEY", "a secret for tests, of no use elsewhere")
        found = {"visits": release(check(examples / "visits" / "policy.yaml")).directory}
        for name in ("several", "later"):
            datasets = ["classes", "by-both", "codes"] if name == "several" else ["by-town"]
            after = "" if name == "several" else f", after: [{found['several']}]"
            found[name] = release(check(policy(place / "world", datasets, name, after))).directory
    return found


def is_no_edit(place: Place, before: Any, after: Any) -> bool:
    """Nothing was said there, or what a criterion has by default is left to it, or the forger mends it anyway."""
    by_default = "require" in place and place[-2] == "parameters"
    return place == ("files", DICTIONARY) or (after is GONE and (says_nothing(before) or by_default))


@pytest.mark.parametrize("name", ["visits", "several", "later"])
def test_an_edit_fails_or_shows(releases: dict[str, Path], tmp_path: Path, name: str, full_size: bool) -> None:
    """Of every place, or of every fifth."""
    copied = Path(shutil.copytree(releases[name], tmp_path / "release"))
    content = content_of(copied)
    put(copied, content)
    untouched = report(copied / "public")
    assert untouched is not None
    assert report(copied) is not None
    silent = []
    for i, place in enumerate(list(places(content))[:: 1 if full_size else 5]):
        before = at(content, place)
        for value in variants(before):
            put(copied, edited(content, place, value))
            told = report(copied / "public")
            if is_no_edit(place, before, value):
                continue
            if told == untouched:
                silent.append((place, value))
            if i % (7 if full_size else 3) == 0:
                assert report(copied) is None, f"the whole release verifies after an edit of {place}"
    assert not silent, "\n".join(map(str, silent))
