"""Guards are found by their names, and each is described and tested."""

from __future__ import annotations

import pytest
from test_amount_guards import ASKED as AMOUNTS
from test_guards import ASKED as FORMS
from test_guards import LISTS

from sharewell.notes.matcher.named_guards import described, guard


def test_every_guard_is_described_and_tested() -> None:
    tested = {name.partition(":")[0] for name, _, _ in (*FORMS, *AMOUNTS)}
    assert {name.partition(":")[0] for name in described()} == tested | {"split_month", "named_uncommon"}
    assert all(described().values())


def test_an_unknown_guard_or_list_is_refused() -> None:
    with pytest.raises(KeyError):
        guard("luhm", LISTS.__getitem__)
    with pytest.raises(KeyError):
        guard("after:shapes", LISTS.__getitem__)
