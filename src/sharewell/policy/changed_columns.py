"""Columns that a mechanism publishes as something else than what stands in the file, whatever their role."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sharewell.parameters import values_of
from sharewell.policy.model import Auto, Dataset


def changed_by_mechanism(dataset: Dataset) -> Collection[str]:
    """Those that the mechanism, or the rule of the same name, names."""
    using = dataset.using.built
    if not isinstance(using, Auto) and not using.changes_named_columns:
        return ()
    built = [using, *(one.built for one in dataset.require if one.name == dataset.using.name)]
    results: set[str] = set()
    for one in built:
        given = values_of(one).get("columns")
        if isinstance(given, Mapping):
            results |= {str(name) for name, what in given.items() if what != "other"}
        elif isinstance(given, list | tuple):
            results |= set(map(str, given))
    return results
