"""Ask acro for a table of counts with margins, and which of its cells it leaves blank."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import tempfile

import pandas as pd


def main(a: list[int], b: list[int], margins: bool) -> dict[str, object]:
    import acro

    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as place, contextlib.redirect_stdout(sys.stderr):
        os.chdir(place)
        session = acro.ACRO(suppress=True)
        table = session.crosstab(pd.Series(a, name="a"), pd.Series(b, name="b"), margins=margins)
    shown = table.astype(object).where(table.notna(), None)
    rows, columns = [str(label) for label in shown.index], [str(label) for label in shown.columns]
    return {"rows": rows, "columns": columns, "cells": shown.to_numpy().tolist()}


print(json.dumps(main(**json.loads(sys.argv[1])), default=float))
