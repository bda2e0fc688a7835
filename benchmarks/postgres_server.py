"""A PostgreSQL server for one run, in a temporary directory: for tests and benchmarks of the ledger."""

from __future__ import annotations

import getpass
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class NoPostgres(Exception):
    """There is no PostgreSQL on this machine that could be started."""


class PostgresServer:
    """A running server that listens on a socket in a directory of its own, and on no port."""

    def __init__(self, url: str, process: subprocess.Popen[bytes]) -> None:
        self.url = url
        self.process = process

    def new_place(self) -> str:
        """The URL of an empty schema."""
        import psycopg

        name = f"ledger_{secrets.token_hex(6)}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.url}&options=-csearch_path%3D{name}"


@contextmanager
def postgres_server(*, durable: bool = True) -> Iterator[PostgresServer]:
    """Start a server, and stop it in the end. It refuses to run as root: then it runs as the user postgres."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        raise NoPostgres("PostgreSQL is not installed: apt-get install postgresql")
    user = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
    name = "postgres" if user else getpass.getuser()
    place = Path(tempfile.mkdtemp(prefix="ledger-pg-", dir="/tmp"))  # a path of a socket must be short
    try:
        if user:
            try:
                account = pwd.getpwnam("postgres")
            except KeyError:
                raise NoPostgres("there is no user postgres to run the server") from None
            os.chown(place, account.pw_uid, account.pw_gid)
        command = [found[-1], "-D", place / "data", "-A", "trust", "-U", name, "--locale=C", "-E", "UTF8", "--no-sync"]
        silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": place}
        if subprocess.run(command, **silent, **user, check=False).returncode:
            raise NoPostgres("initdb failed")
        settings = ["listen_addresses=", f"unix_socket_directories={place}", f"fsync={'on' if durable else 'off'}"]
        options = [part for setting in settings for part in ("-c", setting)]
        process = subprocess.Popen([found[-1].parent / "postgres", "-D", place / "data", *options], **silent, **user)
        try:
            url = f"postgresql://{name}@/postgres?host={place}"
            _wait_for(url, process)
            yield PostgresServer(url, process)
        finally:
            process.send_signal(signal.SIGQUIT)
            process.wait(30)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    import psycopg

    until = time.monotonic() + 30
    while time.monotonic() < until and process.poll() is None:
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise NoPostgres("the server does not start")
