"""What is piped in is a private file while the work lasts, and gone afterwards."""

from __future__ import annotations

import io
import stat
from pathlib import Path

import pytest

from sharewell.errors import DataError
from sharewell.io.standard_input import spooled


def test_a_path_stays_as_it_is() -> None:
    with spooled(Path("people.csv")) as path:
        assert path == Path("people.csv")


def test_what_is_piped_in_is_private_and_removed_whatever_happens() -> None:
    with pytest.raises(RuntimeError), spooled(Path("-"), io.BytesIO(b"a,b\n1,2\n")) as path:  # noqa: PT012
        assert path.read_bytes() == b"a,b\n1,2\n"
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        raise RuntimeError
    assert not path.parent.exists()


def test_a_terminal_is_not_waited_for() -> None:
    class Terminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    with pytest.raises(DataError) as caught, spooled(Path("-"), Terminal()):
        pass
    assert str(caught.value) == "standard input — is a terminal, not a file — pipe the data in, or name a file"
