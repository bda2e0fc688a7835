"""What no certificate looks like is reported, part by part."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline.forged_releases import content_of

from sharewell.pipeline.certificate_check import form_problems

FORMS: dict[str, tuple[str, Callable[[dict[str, Any]], Any]]] = {
    "no signer, not even none": ("without signed_by", lambda c: c.pop("signed_by")),
    "a policy without a hash": ("hash of the policy", lambda c: c["policy"].update(salted_sha256="no hash")),
    "an approver who is a number": ("approver", lambda c: c["policy"].update(approved_by=1)),
    "another way to salt": ("salted", lambda c: c["salt"].update(hash="SHA-256")),
    "a weaker function between secret and key": ("commitment", lambda c: c["key_commitment"]["kdf"].update(n=2)),
    "an earlier release without a hash": (
        *("earlier releases",),
        lambda c: c["after"].append({"name": "r", "certificate_sha256": ""}),
    ),
    "no versions": ("which versions", lambda c: c["versions"].clear()),
    "a deviation that is no text": ("not text", lambda c: c["deviations"].append(1)),
    "a subject that is published whole": ("of the subject of visits", lambda c: of(c, "visits").update(subject="all")),
    "a number of columns below nothing": (
        "is not a number",
        lambda c: of(c, "visits").update(columns_not_published=-1),
    ),
    "a criterion of half a profile": (
        *("not told as a policy",),
        lambda c: of(c, "visits")["require"][0].update(from_profile=None),
    ),
    "evidence without a hash": ("hash of the evidence", lambda c: c["datasets"]["notes"].pop("persons_sha256")),
    "no file": ("to read no file", lambda c: of(c, "visits").update(people=[])),
    "a label left out": ("one after the other", lambda c: of(c, "visits").update(people=[7])),
    "a label twice": ("not in order", lambda c: of(c, "visits").update(subjects=[0, 0])),
}


def of(content: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = content["policy"]["redacted"]["datasets"][name]
    return found


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_form_that_no_release_writes_is_named(
    small_release: Path, form: tuple[str, Callable[[dict[str, Any]], Any]]
) -> None:
    words, change = form
    content = copy.deepcopy(content_of(small_release))
    assert not list(form_problems(content))
    change(content)
    found = list(form_problems(content))
    assert any(words in problem for problem in found), found
