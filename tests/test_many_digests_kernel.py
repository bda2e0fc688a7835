"""The compiled loops give what the standards print in their examples."""

import numpy as np
import pyarrow as pa
import pytest

from sharewell.many_digests import _buffers, _filled_up

pytest.importorskip("numba")
from sharewell.many_digests_kernel import blake2bs, hmacs


def test_the_second_case_of_rfc_4231() -> None:
    """Key "Jefe", data "what do ya want for nothing?", among so many others that lanes are filled twice."""
    found, codes = np.empty((100, 32), np.uint8), np.zeros(100, np.int64)
    hmacs(_filled_up(b"Jefe", 1), codes, *_buffers(pa.array(["what do ya want for nothing?"])), codes, found)
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert {row.tobytes().hex() for row in found} == {expected}


def test_the_first_known_answer_of_keyed_blake2b() -> None:
    """The empty message under the key 00 01 … 3f: the block of the key is the last one."""
    found = np.empty((2, 8), np.uint64)
    blake2bs(np.frombuffer(bytes(range(64)), np.uint8), *_buffers(pa.array(["", "another"])), found)
    expected = (
        "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786"
        "b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568"
    )
    assert found[0].astype("<u8").tobytes().hex() == expected
