"""Pseudonyms of many persons at a time are those that each person gets alone."""

import hmac

import numpy as np
import pyarrow as pa
import pytest

from sharewell.keys import Key, hmac_digests
from sharewell.pseudonym_columns import in_hexadecimal, pseudonyms

KEY = Key(b"an example key of enough bytes..")
NAMES = ["anna", "", "Ünal", "p" * 200, "007"]


@pytest.mark.parametrize("secret", [b"", b"short", b"k" * 64, b"k" * 65, bytes(range(200))])
def test_digests_are_those_of_the_standard_library(secret: bytes) -> None:
    messages = [b"", b"m", b"m" * 63, b"m" * 1000]
    assert hmac_digests(secret, messages) == b"".join(hmac.digest(secret, one, "sha256") for one in messages)


def test_a_column_of_names_and_single_names_get_the_same() -> None:
    assert in_hexadecimal(pseudonyms(KEY, pa.array(NAMES))).to_pylist() == [KEY.pseudonym(one) for one in NAMES]
    assert len(in_hexadecimal(pseudonyms(KEY, pa.array([], pa.string())))) == 0


def test_nobody_is_null() -> None:
    raw, there = np.arange(6, dtype=np.uint8).reshape(3, 2), np.array([True, False, True])
    found = in_hexadecimal(raw, there)
    found.validate(full=True)
    assert found.to_pylist() == ["0001", None, "0405"]
