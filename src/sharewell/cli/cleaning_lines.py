"""What cleaning did, one line a column: how many cells each step changed, and how many could not be read.

>>> steps = [{"name": "trim", "changed": 3, "unread": 0}, {"name": "date", "changed": 1200, "unread": 2}]
>>> list(cleaning_lines([{"source": "visits.csv", "columns": {"admitted": {"cells": 1500, "steps": steps}}}]))
['visits.csv, admitted: trim changed 3 and date 1,200 of 1,500 cells; 2 could not be read and are missing']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sharewell.plain_data import JsonObject


def cleaning_lines(accounts: Sequence[JsonObject]) -> Iterator[str]:
    """One line for each column that was cleaned, source by source."""
    for source in accounts:
        for column, account in source["columns"].items():
            yield f"{source['source']}, {column}: {_changed(account)}{_unread(account)}"


def _changed(account: JsonObject) -> str:
    if [step["name"] for step in account["steps"]] == ["join"]:
        return f"joined for {account['steps'][0]['changed']:,} of {account['cells']:,} records"
    counts = [f"{step['name']} {step['changed']:,}" for step in account["steps"]]
    first = counts[0].replace(" ", " changed ", 1)
    listed = ", ".join([first, *counts[1:-1]]) + (f" and {counts[-1]}" if len(counts) > 1 else "")
    return f"{listed} of {account['cells']:,} cells"


def _unread(account: JsonObject) -> str:
    unread = sum(step["unread"] for step in account["steps"])
    if any(step["name"] == "join" for step in account["steps"]):
        return f"; {unread:,} lack a part, so that their person is unknown" if unread else ""
    if any(step["name"] == "crosswalk" for step in account["steps"]):
        several = sum(step["ambiguous"] for step in account["steps"])
        counterparts = f"; {several:,} of them had several counterparts" if several else ""
        return f"{counterparts}; {unread:,} had none" if unread else counterparts
    return f"; {unread:,} could not be read and {'is' if unread == 1 else 'are'} missing" if unread else ""
