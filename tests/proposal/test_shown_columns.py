"""Cells are read as dates, numbers or labels, by the roles of their columns."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from sharewell.proposal.shown_columns import ColumnFate, shown_columns
from sharewell.roles import Role
from sharewell.shown_values import ShownValue

DRAW = np.random.default_rng(8)
DAYS = DRAW.integers(1, 28, 200)
STAYS = DRAW.integers(1, 9, 200)
TABLE = pa.table(
    {
        "came": [f"{day:02}.01.2020" for day in DAYS],
        "went": [f"2020-02-{day:02}" for day in (DAYS + STAYS) % 28 + 1],
        "born": [f"{1940 + i % 60}-03-0{1 + i % 9}" for i in range(200)],
        "year": [str(1940 + i % 60) for i in range(200)],
        "ward": [f"ward {'ABCD'[i % 4]}" for i in range(200)],
        "site": ["north" if i % 4 < 2 else "south" for i in range(200)],
    }
)


@pytest.mark.parametrize(
    ("roles", "by"),
    [
        ({"year": Role.QUASI, "born": Role.SHIFT}, ("born",)),
        ({"site": Role.QUASI, "ward": Role.KEEP}, ("ward",)),
        ({"year": Role.QUASI, "born": Role.SENSITIVE}, ("born",)),
        ({"ward": Role.QUASI, "site": Role.KEEP}, None),
        ({"site": Role.QUASI, "ward": Role.DROP}, None),
        ({"site": Role.QUASI, "came": Role.SHIFT, "year": Role.KEEP}, None),
    ],
)
def test_what_the_roles_let_stand_beside_a_quasi_column_is_looked_at(
    roles: dict[str, Role], by: tuple[str, ...] | None
) -> None:
    rules = {name: ColumnFate(role) for name, role in roles.items()}
    quasi = next(iter(roles))
    shifted = by is not None and roles[by[0]] is Role.SHIFT
    assert shown_columns(TABLE, rules, None) == ([ShownValue(quasi, by, shifted)] if by else [])


def test_dates_need_not_be_written_in_one_form() -> None:
    both = zip(TABLE["came"].to_pylist(), TABLE["went"].to_pylist(), strict=True)
    stays = np.array([int(went[8:]) + 31 - int(came[:2]) for came, went in both])
    table = TABLE.append_column("minutes", pa.array(1440 * stays))
    rules = {"minutes": ColumnFate(Role.QUASI), "came": ColumnFate(Role.SHIFT), "went": ColumnFate(Role.SHIFT)}
    assert shown_columns(table, rules, None) == [ShownValue("minutes", ("came", "went"), True, True)]
