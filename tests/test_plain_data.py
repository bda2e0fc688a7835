"""Names for data from outside."""

from __future__ import annotations

from typing import Annotated, Literal, Union

import pytest

from sharewell.plain_data import Hint, origin_of


@pytest.mark.parametrize(
    ("hint", "origin"),
    [
        (Annotated[int, "how many"], Annotated),
        (Literal["a", "b"], Literal),
        (Union[int, str], Union),  # noqa: UP007
        (list[int], list),
        (int, None),
    ],
)
def test_what_an_annotation_is_made_of(hint: Hint, origin: Hint) -> None:
    assert origin_of(hint) is origin
