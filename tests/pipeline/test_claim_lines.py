"""What nothing published decides is said for what it is: whom a criterion counts, how many, and on whose word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from pipeline.forged_releases import content_of, put, put_page

from sharewell.cli import main
from sharewell.pipeline.certificate import file_hashes
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = Path(shutil.copytree(EXAMPLES / "visits", tmp_path_factory.mktemp("lines") / "visits"))
    return release(check(place / "policy.yaml")).directory


@pytest.fixture
def public(made: Path, tmp_path: Path) -> Path:
    """What a recipient gets, and a forger can change."""
    copied = Path(shutil.copytree(made, tmp_path / "release"))
    shutil.rmtree(copied / "internal")
    return copied


def count_records(content: dict[str, Any]) -> None:
    """Everywhere: in the policy, in the claim, and as what was found."""
    content["policy"]["redacted"]["datasets"]["visits"]["require"][0]["parameters"]["unit"] = "record"
    claim = content["datasets"]["visits"]
    claim["unit"] = claim["findings"][0]["unit"] = "records"
    claim["findings"][0]["value"] = 3


def test_the_first_line_says_that_nobody_signed(public: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(public)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "signer   unsigned"


def test_a_criterion_says_whom_it_counts(public: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "visits: k-anonymity (k = 2, unit = person, missing = own) counts persons, identified in the file"
    assert verify(public).claims.required == (line,)
    assert main(["verify", str(public)]) == 0
    assert f"required {line}" in capsys.readouterr().out
    assert main(["verify", str(public), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["required"] == [line]


def test_records_in_place_of_persons_are_seen(public: Path) -> None:
    """The file tells persons apart, so whoever counts records, by policy or by forgery, is reported for it."""
    content = content_of(public)
    count_records(content)
    put(public, content)
    found = verify(public)
    assert found.ok, "a policy may say so, and nothing published shows that this one did not …"
    assert "visits: k-anonymity (k = 2, unit = record, missing = own) counts records" in found.claims.required
    caution = "visits: k-anonymity counts records, not persons, although persons are identified in the file"
    assert caution in found.cautions, "… but it is said"


def test_a_bound_that_was_lowered_is_seen(public: Path) -> None:
    content = content_of(public)
    content["policy"]["redacted"]["datasets"]["visits"]["require"][0]["parameters"]["k"] = 1
    content["datasets"]["visits"]["findings"][0]["bound"] = 1
    put_page(public / "public", content)
    content["files"] = file_hashes(public / "public")
    put(public, content)
    found = verify(public)
    assert found.ok
    assert found.claims.required[0].startswith("visits: k-anonymity (k = 1, ")
    assert found.findings["visits"][0].bound == 1


def test_what_is_taken_on_trust_is_listed(public: Path) -> None:
    trusted = "\n".join(verify(public).claims.trusted)
    for words in (
        "release visits-2026, for nobody named, context non-public",
        "policy approved by nobody; secret key drawn for this release; made with (python = ",
        "visits: protects persons; sources: 1; columns that identify persons: 1",
        "mondrian (split = width, suppress = 0.0, relaxed = False)",
        "column admitted (type = date, most_days = 60, time = drop)",
    ):
        assert words in trusted
    assert any(line.startswith("policy: ") for line in verify(public).claims.commitments)


def test_a_ruined_certificate_has_as_many_lines_as_can_be_read(public: Path) -> None:
    content = content_of(public)
    content["policy"]["redacted"]["datasets"]["visits"]["require"] = 7
    put(public, content)
    found = verify(public)
    assert not found.ok
    assert found.claims.required == ("the certificate is damaged: it does not say what else",)
