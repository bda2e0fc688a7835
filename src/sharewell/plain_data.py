"""Names for what Python's types cannot say: data from JSON and YAML files, and annotations read at run time.

Values of these types come from outside, or from `typing`; whoever uses one checks first what it is.
"""

from __future__ import annotations

from typing import Any, TypeAlias, get_origin

Json: TypeAlias = Any
"""Whatever a JSON or YAML file may hold: text, number, true, false, nothing, a list or a mapping of these."""
JsonObject: TypeAlias = dict[str, Json]
Hint: TypeAlias = Any
"""An annotation such as `int | None` or `Annotated[float, Ge(0)]`, as `get_type_hints` gives it."""
ANYTHING: Hint = Any
"""The annotation of a value that its record checks itself, or that nobody needs to check."""


def origin_of(hint: Hint) -> Hint:
    """`get_origin`, typed so that what it gives can be compared with `Annotated`, `Literal` and `Union`."""
    return get_origin(hint)
