"""Odd values in a table of counts are told, not stumbled over."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.errors import DataError
from sharewell.reports.counts.engine.tabulation import tabulate


def test_a_value_that_looks_like_no_value_is_told() -> None:
    frame = pa.table({"sex": ["\0", "F", None, "F"]})
    with pytest.raises(DataError, match="control character"):
        tabulate(frame, ["sex"])
