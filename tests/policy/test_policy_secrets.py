"""Secrets are referred to, resolved, and never repeated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from policy_texts import VALID, refusal

from sharewell.errors import DataError
from sharewell.keys import Key
from sharewell.policy import Policy
from sharewell.policy.model import Secrets
from sharewell.policy.secrets import exposed, resolve
from sharewell.weak_secrets import is_guessable

Loaded = Callable[[str], Policy]
CANARY = "hunter2-canary"


@pytest.mark.parametrize(
    "written",
    [
        f"{{key: {CANARY}}}",
        f"{{key: 'env:{CANARY}'}}",
        f"{{key: 'evn:{CANARY}'}}",
        f"{{key: [{CANARY}]}}",
        f"{{key: {{env: {CANARY}}}}}",
        f"{{{CANARY}: key}}",
        f"{{{CANARY}: a, {CANARY}: b}}",
        f"{{key: a, key: {CANARY}}}",
        f"{CANARY}",
        f"[{CANARY}]",
        f"{{key: '{CANARY}",
        f"{{key: *{CANARY}}}",
        f'{{key: "{CANARY}\\0"}}',
    ],
)
def test_a_secret_in_the_policy_is_refused_and_not_repeated(loaded: Loaded, written: str) -> None:
    text = VALID.replace("{key: env:SHAREWELL_KEY, sign: file:steward.key}", written)
    error = refusal(loaded, text)
    assert CANARY not in str(error)
    assert any(mistake.line == 3 for mistake in error.mistakes) or "YAML" in str(error)


def test_secrets_come_from_the_environment_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAREWELL_KEY", "abc")
    (tmp_path / "key").write_bytes(b"one\ntwo\r\n")
    assert resolve("env:SHAREWELL_KEY", tmp_path) == b"abc"
    assert resolve("file:key", tmp_path) == b"one\ntwo"


@pytest.mark.parametrize("reference", ["env:SHAREWELL_NOT_SET", "file:absent.key", "file:empty.key", "file:."])
def test_what_is_absent_is_named_by_its_reference(tmp_path: Path, reference: str) -> None:
    (tmp_path / "empty.key").write_bytes(b"\n")
    with pytest.raises(DataError, match=reference.replace(".", r"\.")):
        resolve(reference, tmp_path)


def test_text_that_is_no_reference_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        resolve(CANARY, tmp_path)
    assert CANARY not in str(caught.value)


WEAK = [
    "aaaaaaaaaaaaaaaa",
    "abababababababababababababababab",
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789012345678901",
    "qwertyuiopasdfghjklzxcvbnm",
    "characteristically",
    "correct horse battery",
    "Password12345678",
    "hospitalhospitalhospitalhospital",
    "secret secret secret secret secret",
    "to be or not to be, that is the question",
    "The Quick Brown Fox Jumps Over The Lazy Dog 1234",
    "Hospital release key 2026-11-17!",
    "ThisIsMySecretKey!ThisIsMySecretKey!",
    "qwertyuiop-asdfghjkl-zxcvbnm-1234567890",
    "p@ssw0rd p@tient h0spital s3cret",
    "1987-05-23 2001-01-01 qwertyuiop",
]


@pytest.mark.parametrize("secret", WEAK)
def test_a_key_that_is_easy_to_guess_is_refused_and_not_repeated(secret: str) -> None:
    for of in (Key, Key.from_secret):
        with pytest.raises(DataError, match="sharewell keygen --secret FILE") as caught:
            of(secret.encode())
        assert secret not in str(caught.value)


def test_bytes_that_are_no_text_are_looked_at_too() -> None:
    for secret in (bytes([200]) * 32, bytes(range(200, 232)), b"\xff\xfe\xfd" * 11):
        with pytest.raises(DataError, match="too easy to guess"):
            Key.from_secret(secret)


@given(st.binary(min_size=1, max_size=8), st.integers(16, 64))
def test_whatever_repeats_within_eight_bytes_is_guessable(piece: bytes, length: int) -> None:
    assert is_guessable((piece * length)[:length])


@given(st.integers(0, 2**64).map(Random))
def test_random_keys_are_accepted(rng: Random) -> None:
    """As `keygen --secret` and others make them: in hexadecimal, or plain bytes."""
    assert not is_guessable(rng.randbytes(32).hex().encode())
    assert not is_guessable(rng.randbytes(32))


def test_key_files_that_others_can_read_are_told(tmp_path: Path) -> None:
    for name, mode in (("release.key", 0o644), ("steward.key", 0o600)):
        (tmp_path / name).write_text("a key")
        (tmp_path / name).chmod(mode)
    (told,) = exposed(Secrets("file:release.key", "file:steward.key"), tmp_path)
    assert told.startswith("file:release.key — others than its owner can read this key — chmod 600")
    assert exposed(Secrets("env:SHAREWELL_KEY", None), tmp_path) == ()
