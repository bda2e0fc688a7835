"""Hashes in public/ cover confidential files, and must not let anybody try out guesses of what these say."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.findings import Tier
from sharewell.keys import KDF, Key
from sharewell.pipeline.run import Released, release
from sharewell.pipeline.salted_hashes import SALTED, Salt
from sharewell.pipeline.verify import Verification, verify
from sharewell.policy import check

NAMES = ("anna", "bert", "cleo", "dora", "emil", "fred", "gina", "hans", "ines", "jost", "kati", "luis")
TRUTH = (True, False, False, True, False, False, False, True, False, True, True, False)
POLICY = """\
sharewell: 1
release: {name: r}
SECRETSdatasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {name: drop, age: quasi, hiv: drop}
    require:
      - k-anonymity: {k: 2}
      - k-map: {population: {csv: people.csv}, k: 2}
    using: optimal-recoding
write: {csv: out}
"""
KEYED = "secrets: {key: file:release.key}\n"
SECRET = b"a secret for these tests, of no use elsewhere"


def people(hiv: tuple[bool, ...]) -> str:
    rows = [f"{name},{30 + i},{'yes' if ill else 'no'}" for i, (name, ill) in enumerate(zip(NAMES, hiv, strict=True))]
    return "\n".join(["name,age,hiv", *rows, ""])


def released(directory: Path, secrets: str = KEYED) -> Released:
    directory.mkdir(exist_ok=True)
    (directory / "people.csv").write_text(people(TRUTH))
    (directory / "release.key").write_bytes(SECRET)
    (directory / "policy.yaml").write_text(POLICY.replace("SECRETS", secrets))
    return release(check(directory / "policy.yaml"))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A steward's folder with a finished release; tests must not change it."""
    directory = tmp_path_factory.mktemp("desk")
    released(directory)
    return directory


def seen_by_others(desk: Path) -> str:
    """All that a recipient can read, and what lies beside the release."""
    paths = [*(desk / "out" / "r" / "public").iterdir(), desk / "out" / "audit.jsonl"]
    return "\n".join(path.read_text() for path in paths)


@pytest.mark.parametrize("secrets", [KEYED, ""], ids=["with a key", "without"])
def test_a_dropped_column_cannot_be_recovered_by_guessing(tmp_path: Path, secrets: str) -> None:
    """Who knows everybody's name and age has 4,096 guesses for twelve people's HIV status, and no way to try them."""
    released(tmp_path, secrets)
    told = set(re.findall(r"[0-9a-f]{64}", seen_by_others(tmp_path)))
    guesses = (hashlib.sha256(people(hiv).encode()).hexdigest() for hiv in itertools.product((False, True), repeat=12))
    assert len(told) > 3
    assert not told.intersection(guesses)


def test_the_policy_cannot_be_recovered_by_guessing(desk: Path) -> None:
    """A policy may hold what only its steward knows, such as the limits of an owner."""
    assert hashlib.sha256((desk / "policy.yaml").read_bytes()).hexdigest() not in seen_by_others(desk)


def test_no_file_that_was_read_is_published_by_its_plain_hash(small_demo: Path) -> None:
    told = "\n".join(path.read_text("latin-1") for path in (small_demo / "release" / "public").iterdir())
    own = [
        path for path in small_demo.rglob("*") if path.is_file() and "release" not in path.relative_to(small_demo).parts
    ]
    assert len(own) > 5
    assert not [path.name for path in own if hashlib.sha256(path.read_bytes()).hexdigest() in told]


PLAIN = st.recursive(
    st.one_of(st.text(max_size=5), st.integers(), st.binary(min_size=32, max_size=32).map(bytes.hex)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["sha256", "columns", "population"]), inner, max_size=3),
    ),
    max_leaves=12,
)


@given(PLAIN, st.binary(min_size=32, max_size=32).map(bytes.hex))
def test_no_plain_hash_is_left_wherever_it_stands(content: Any, policy: str) -> None:
    """And two releases under one key share no salted hash."""
    key = Key(hashlib.sha256(b"a key").digest())
    one, two = Salt.of(key, policy), Salt.of(key, hashlib.sha256(policy.encode()).hexdigest())
    plain = {value for name, value in hashes_in(content) if name == "sha256"}
    shown, other = (hashes_in(salt.applied(content)) for salt in (one, two))
    salted = {value for name, value in shown if name == SALTED}
    assert not [name for name, _ in shown if name == "sha256"]
    assert len(salted) == len(plain)
    assert not salted & (plain | {value for name, value in other if name == SALTED})


def hashes_in(content: Any) -> list[tuple[str, str]]:
    """Every entry that is a hash, with its name."""
    if isinstance(content, list):
        return [found for item in content for found in hashes_in(item)]
    if not isinstance(content, dict):
        return []
    own = [(k, v) for k, v in content.items() if isinstance(v, str) and re.fullmatch(r"[0-9a-f]{64}", v)]
    return own + [found for item in content.values() for found in hashes_in(item)]


def tier(found: Verification) -> Tier:
    assert found.ok, found.problems
    return found.findings["people"][1].tier


def test_who_has_the_source_and_the_salt_re_checks(desk: Path, tmp_path: Path) -> None:
    public = Path(shutil.copytree(desk / "out" / "r" / "public", tmp_path / "public"))
    sources = tmp_path / "sources"
    sources.mkdir()
    shutil.copy(desk / "people.csv", sources)
    alone = verify(public, with_=sources)
    assert tier(alone) is Tier.ATTESTED
    assert "neither was available" in alone.findings["people"][1].note
    assert any("named sources were not looked for" in caution for caution in alone.cautions)
    assert tier(verify(public, with_=sources, secret=SECRET)) is Tier.STEWARD
    assert tier(verify(desk / "out" / "r", with_=sources)) is Tier.STEWARD
    shutil.copy(desk / "out" / "r" / "internal" / "salt.json", sources)
    assert tier(verify(public, with_=sources)) is Tier.STEWARD
    (sources / "people.csv").write_text(people(TRUTH[::-1]))
    assert tier(verify(public, with_=sources)) is Tier.ATTESTED


def test_the_secret_key_of_another_release_is_refused(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = verify(desk / "out" / "r" / "public", secret=b"another secret that made nothing at all")
    assert [problem for problem in found.problems if "not the one that this release was made with" in problem]
    monkeypatch.setenv("GIVEN", SECRET.decode())
    assert main(["verify", str(desk / "out" / "r"), "--secret", "env:GIVEN", "--with", str(desk)]) == 0


def test_the_salt_of_another_release_is_of_no_use(desk: Path, tmp_path: Path) -> None:
    other = released(tmp_path / "other", "")
    shutil.copy(other.directory / "internal" / "salt.json", tmp_path)
    shutil.copy(desk / "people.csv", tmp_path)
    assert tier(verify(desk / "out" / "r" / "public", with_=tmp_path)) is Tier.ATTESTED


def test_the_salt_is_private_and_only_the_key_leads_to_it(desk: Path) -> None:
    path = desk / "out" / "r" / "internal" / "salt.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    salt = json.loads(path.read_text())["salt"]
    assert salt not in seen_by_others(desk)
    assert (
        salt
        == Salt.of(
            Key.from_secret(SECRET), hashlib.sha256((desk / "policy.yaml").read_bytes()).hexdigest()
        ).secret.hex()
    )


def test_a_guess_of_the_secret_key_is_slow(desk: Path) -> None:
    """What everything derives from is not the secret itself, but what scrypt makes of it."""
    told = json.loads((desk / "out" / "r" / "public" / "certificate.json").read_text())
    assert told["key_commitment"]["kdf"] == KDF
    policy = told["policy"][SALTED]
    assert told["key_commitment"]["commitment"] == Key.from_secret(SECRET).commitment(policy)
    assert told["key_commitment"]["commitment"] != Key(SECRET).commitment(policy)
    assert Key.from_secret(SECRET).pseudonym("anna") != Key(SECRET).pseudonym("anna")
    assert int(KDF["n"]) * int(KDF["r"]) * 128 >= 1 << 25


def test_a_certificate_of_an_earlier_format_is_named_as_such(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Path(shutil.copytree(desk / "out" / "r", tmp_path / "r"))
    path = copy / "public" / "certificate.json"
    path.write_text(path.read_text().replace('"sharewell": 2', '"sharewell": 1', 1))
    assert main(["verify", str(copy)]) == 3
    assert "of format 1; this version reads format 2" in capsys.readouterr().err
