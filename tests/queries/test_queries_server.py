"""The service as a process: where it listens, how it ends, and what becomes of a question whose client left."""

from __future__ import annotations

import datetime
import json
import signal
import socket
import ssl
import tempfile
import time
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from served_visits import COUNT, process
from small_visits import desk

from sharewell.errors import DataError, PolicyError
from sharewell.policy import load
from sharewell.queries.accounts import Accounts
from sharewell.queries.service.server import Place
from sharewell.queries.service.tokens import Tokens
from sharewell.queries.session import queried_dataset


def token(policy: Path) -> dict[str, str]:
    with Accounts.of(queried_dataset(load(policy))).opened() as (ledger, _):
        return {"Authorization": f"Bearer {Tokens(ledger, 'visits').new('Ada')[1]}"}


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "example.org", ""])
def test_others_are_served_with_tls_alone(host: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="others could read"):
        Place(host)
    assert Place(host, insecure=True).host == host
    file = tmp_path / "a.pem"
    file.write_text("")
    assert Place(host, certificate=file, key=file).url(1).startswith("https://")


def test_places_that_are_none(tmp_path: Path) -> None:
    for host in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        assert Place(host).url(8400).startswith("http://")
    with pytest.raises(PolicyError, match="belong together"):
        Place(certificate=tmp_path / "a")
    with pytest.raises(PolicyError, match="no such port"):
        Place(port=65536)
    with pytest.raises(DataError, match="no such file"):
        Place(certificate=tmp_path / "a", key=tmp_path / "b")


def test_a_question_whose_client_left_is_charged_and_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And Ctrl-C ends the service at once, with its private copy of the rows."""
    policy, scratch = desk(tmp_path), tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", None)
    header, body = token(policy), json.dumps(COUNT).encode()
    with (
        process(policy, "--minimum", "0.02", "--rate", "9999") as (running, url),
        httpx.Client(base_url=url, headers=header, timeout=30) as client,
    ):
        port = urlsplit(url).port
        assert port
        lines = ["POST /ask HTTP/1.1", "Host: here", f"Authorization: {header['Authorization']}"]
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}", "", ""]
        with socket.create_connection(("127.0.0.1", port)) as caller:
            caller.sendall("\r\n".join(lines).encode() + body)
        until = time.monotonic() + 60
        while not client.get("/history").json()["newest"][:1] or not client.get("/history/1").is_success:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert client.post("/ask", json=COUNT).json()["stored"]
        assert list(scratch.glob("sharewell-rows-*/rows.parquet"))
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)  # a second on an idle machine
        assert (running.returncode, said) == (0, "")
    assert list(scratch.glob("sharewell-rows-*")) == []


def certificate(directory: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    paths = directory / "cert.pem", directory / "key.pem"
    for path, content in zip(paths, (made.public_bytes(serialization.Encoding.PEM), private), strict=True):
        path.write_bytes(content)
    return paths


def test_tls_and_an_end_by_sigterm(tmp_path: Path) -> None:
    policy, (cert, key) = desk(tmp_path), certificate(tmp_path)
    header = token(policy)
    options = ("--minimum", "0.02", "--host", "localhost", "--tls-cert", str(cert), "--tls-key", str(key))
    with process(policy, *options) as (running, url):
        assert url.startswith("https://localhost:")
        context = ssl.create_default_context(cafile=str(cert))
        with httpx.Client(base_url=url, headers=header, timeout=30, verify=context) as client:
            assert client.get("/schema").json()["dataset"] == "visits"
            assert "server" not in client.get("/").headers
            with process(policy, "--minimum", "0.02") as (_, other):  # a second service on the same ledger
                assert httpx.get(f"{other}/schema", headers=header, timeout=30).status_code == 200
            running.send_signal(signal.SIGTERM)
            _, said = running.communicate(timeout=60)  # a second on an idle machine, though a client is connected
            assert (running.returncode, said) == (0, "")
