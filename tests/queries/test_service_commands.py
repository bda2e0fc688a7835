"""`sharewell token`, and what `sharewell serve` refuses before it listens."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
from small_visits import POLICY, desk

from sharewell.cli import main
from sharewell.queries.engine.ledger import Ledger


@pytest.fixture
def policy(tmp_path: Path) -> str:
    return str(desk(tmp_path))


def told(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(list(argv))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_token_is_made_listed_and_revoked(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no token" in told(capsys, "token", "list", policy)[1]
    code, out, _ = told(capsys, "token", "new", policy, "--analyst", "Ada", "--scopes", "budget", "--days", "3")
    assert code == 0
    assert out.startswith("sharewell_")
    assert "is not shown again" in out
    code, out, _ = told(capsys, "token", "new", policy, "--analyst", "Ben", "--json")
    made = json.loads(out)
    assert made["secret"].startswith(f"sharewell_{made['token']}_")
    code, out, _ = told(capsys, "token", "list", policy, "--json")
    listed = json.loads(out)["tokens"]
    assert [one["analyst"] for one in listed] in (["Ada", "Ben"], ["Ben", "Ada"])
    assert "secret" not in listed[0]
    assert made["secret"].removeprefix(f"sharewell_{made['token']}_") not in out
    code, out, _ = told(capsys, "token", "revoke", policy, "--token", made["token"])
    assert (code, "1 token(s) revoked" in out) == (0, True)
    code, out, _ = told(capsys, "token", "revoke", policy, "--analyst", "Ada", "--json")
    assert len(json.loads(out)["revoked"]) == 1
    assert told(capsys, "token", "revoke", policy, "--analyst", "Ada")[0] == 1
    out = told(capsys, "token", "list", policy, "--analyst", "Ben")[1]
    assert "revoked" in out
    assert "Ada" not in out
    with Ledger.open(Path(policy).parent / "ledger.sqlite") as ledger:
        assert ledger.verify_chain().ok


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["new", "--analyst", " "], 3, "printable"),
        (["new", "--analyst", "Ada", "--scopes", "all"], 3, "no such scope"),
        (["new", "--analyst", "Ada", "--days", "9999"], 3, "days"),
        (["revoke", "--token", "nothing"], 3, "can be revoked"),
        (["new", "--analyst", "Ada", "--dataset", "other"], 2, "no dataset"),
    ],
)
def test_what_is_wrong_is_said(
    policy: str, capsys: pytest.CaptureFixture[str], argv: list[str], code: int, words: str
) -> None:
    found, _, err = told(capsys, "token", argv[0], policy, *argv[1:])
    assert (found, words in err) == (code, True), err


def test_serving_refuses_before_it_listens(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys, "serve", policy, "--host", "0.0.0.0")
    assert (code, "others could read" in err) == (2, True)
    assert told(capsys, "serve", policy + "x")[0] == 3
    with pytest.raises(SystemExit):
        main(["serve", policy, "--minimum", "nan"])
    told(capsys, "token", "new", policy, "--analyst", "Ada")
    told(capsys, "ask", policy, "count", "--epsilon", "0.1")
    Path(policy).write_text(POLICY.replace("epsilon: 3", "epsilon: 5"))
    code, _, err = told(capsys, "serve", policy)
    assert (code, "another cap" in err) == (3, True)
    assert told(capsys, "token", "revoke", policy, "--analyst", "Ada")[0] == 0  # that can always be done


def test_a_port_that_is_taken(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = told(capsys, "serve", policy, "--port", str(taken.getsockname()[1]))
    assert (code, "cannot be listened on" in err) == (3, True)


def test_a_certificate_that_is_none(policy: str, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ("--port", "0", "--tls-cert", policy, "--tls-key", policy)
    code, _, err = told(capsys, "serve", policy, *argv)
    assert (code, "cannot be used together" in err) == (3, True)
