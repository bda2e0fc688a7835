"""The bits of labels, beside the records that show them, while labels are merged, split and forgotten."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.engine.protection import label_counts
from sharewell.codes.engine.protection.label_bits import LabelBits

CODES, RECORDS = 6, 130
steps = st.lists(
    st.tuples(st.sampled_from(["ask", "merge", "undo"]), st.integers(0, 5), st.integers(0, 5)), max_size=12
)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1_000), steps, st.integers(1, CODES))
def test_bits_are_those_of_the_records_that_show_a_label(seed: int, steps: Any, room: int) -> None:
    held = np.random.default_rng(seed).random((RECORDS, CODES)) < 0.2
    rows = [set(np.flatnonzero(row).tolist()) for row in held]
    width = -(-RECORDS // 64)
    bits = LabelBits(Sets.of(rows).transposed(CODES), RECORDS, CODES, label_counts.set_bits, room * width * 64)
    following = np.full(CODES, -1, dtype=np.int32)
    chains = {code: [code] for code in range(CODES)}
    done: list[tuple[int, int]] = []
    for step, one, other in steps:
        if step == "merge" and one != other and one in chains and other in chains:
            bits.merge(one, other, following)
            following[chains[one][-1]] = other
            chains[one] += chains.pop(other)
            done.append((one, other))
        elif step == "undo" and done:
            one, other = done.pop()
            cut = chains[one].index(other)
            chains[one], chains[other] = chains[one][:cut], chains[one][cut:]
            following[chains[one][-1]] = -1
            bits.renew(one, following)
        asked = np.array([label for label in (one, other) if label in chains], dtype=np.int64)
        assert bits.hold(asked, following) == (len(set(asked.tolist())) <= room)
        for label, chain in chains.items():
            if (row := bits.row_of[label]) >= 0:
                shown = np.unpackbits(bits.words[row].view(np.uint8), bitorder="little")[:RECORDS]
                assert shown.tolist() == [bool(record & set(chain)) for record in rows]
