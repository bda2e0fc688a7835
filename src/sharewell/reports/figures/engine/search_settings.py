"""What goes into the search for a safe report (weights, levels to keep, effort) and what comes out of it.

>>> SearchSettings.of({"keep": {"rows.center": "mean"}}, beyond=4).kept(nested=False)
{('rows', 'center'): 3}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Self, TypedDict, Unpack

from annotated_types import Ge

from sharewell.errors import PolicyError
from sharewell.parameters import Declared
from sharewell.protocols import Protected
from sharewell.reports.figures.data import Publication
from sharewell.reports.figures.engine.alternatives import Place, levels_of, place_named
from sharewell.reports.figures.engine.solvers.scip import NODES

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.plan import Plan


class Effort(TypedDict, total=False):
    """Settings that no file has."""

    beyond: int
    everything: bool
    nodes: int


@dataclass(frozen=True)
class SearchSettings(Declared):
    """The parameters of `aggregate`, which its page explains."""

    weights: Mapping[str, object] = field(default_factory=dict)
    keep: Mapping[str, object] = field(default_factory=dict)
    beyond: Annotated[int, Ge(0)] = 12
    everything: bool = False
    nodes: Annotated[int, Ge(0)] = NODES

    @classmethod
    def of(cls, search: Mapping[str, object], **more: Unpack[Effort]) -> Self:
        """As the key `search` of a report file says."""
        if search.get("undecided", "unsafe") != "unsafe":
            raise PolicyError("search.undecided — must be unsafe: what nobody could decide is never published")
        weights, keep = (_mapping(search, key) for key in ("weights", "keep"))
        try:
            return cls(weights, keep, **more)
        except ValueError as error:
            raise PolicyError(f"aggregate — {error}") from None

    def kept(self, nested: bool) -> dict[Place, int]:
        """The levels that no measure may fall below."""
        kept = {}
        for name, level in self.keep.items():
            place = place_named(name, "search.keep")
            known = levels_of(place[1], nested)
            number = known.get(level, 0) if isinstance(level, str) else level if isinstance(level, int) else 0
            if isinstance(level, bool) or number not in (1, 2, 3):
                raise PolicyError(f"search.keep.{name} — no such level — known: {', '.join(known)}, or 3, 2, 1")
            kept[place] = number
        return kept


@dataclass(frozen=True)
class Aggregated:
    """Details: what was chosen, and whether nothing of less loss is safe."""

    vector: str
    loss: float
    proven: bool
    optima: tuple[str, ...]
    vectors: int
    audited: int


@dataclass(frozen=True)
class Lowered(Protected[Publication]):
    """The report as `aggregate` returns it, and the plan behind it, which is as confidential as the cells."""

    plan: Plan | None = field(default=None, repr=False)


def _mapping(search: Mapping[str, object], key: str) -> Mapping[str, object]:
    given = search.get(key)
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise PolicyError(f"search.{key} — must be a mapping of measures, such as {{rows.center: 2}}")
    return given
