"""Secrets are referred to, resolved, and never repeated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from policy_texts import VALID, refusal

from sharewell.errors import DataError
from sharewell.policy import Policy
from sharewell.policy.secrets import resolve

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
