"""What an attacker knows of each dataset, as a policy writes it: columns, and some rows, codes, words or SNPs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sharewell.errors import PolicyError

if TYPE_CHECKING:
    from sharewell.protocols import PersonFacts

Knows = Mapping[str, Sequence[str] | int | Mapping[str, object]]
"""Dataset → columns that are all known, or how many of its rows, codes, words or SNPs are known."""
FactSort = Literal["rows", "labels", "places"]
_WORDS: Mapping[str, FactSort] = {"codes": "labels", "snps": "places"}
"""How a policy calls the facts of a record that holds several sorts of them."""
_HINT = (
    "a list of columns, a number of rows, codes, words or SNPs, {any: number, columns: [...]}, or, of a record with"
    " codes and DNA, {columns: [...], codes: number, snps: number}"
)


@dataclass(frozen=True)
class Known:
    """What is known of one dataset, of one sort of facts."""

    columns: tuple[str, ...] | None
    """None: those that the dataset says an attacker can know."""
    most: int | None
    """How many rows, labels or places; None: the columns, all at once."""
    asked: FactSort | None = None
    """None: the sort that the dataset holds."""

    @classmethod
    def of(cls, dataset: str, given: object) -> tuple[Known, ...]:
        """As a policy writes it: a list of columns, a number, or a mapping."""
        match given:
            case bool():
                pass
            case int() if given >= 0:
                return (cls(None, given),)
            case list() | tuple() if all(isinstance(one, str) for one in given):
                return (cls(tuple(given), None),)
            case dict() if "any" in given and set(given) <= {"any", "columns"}:
                columns = cls._columns(given)
                if _is_number(given["any"]) and columns is not False:
                    return (cls(columns, given["any"]),)
            case dict() if set(given) <= {"columns", *_WORDS} and set(given) & set(_WORDS):
                columns, numbers = cls._columns(given), {word: given[word] for word in _WORDS if word in given}
                if columns is not False and all(map(_is_number, numbers.values())):
                    first = () if columns is None else (cls(columns, None),)
                    return (*first, *(cls(None, most, _WORDS[word]) for word, most in numbers.items()))
        raise ValueError(f"knows — what is known of {dataset} must be {_HINT}")

    @staticmethod
    def _columns(given: Mapping[str, object]) -> tuple[str, ...] | Literal[False] | None:
        """The columns of a mapping; None: it names none; False: they are no list."""
        columns = given.get("columns")
        if columns is None:
            return None
        return tuple(map(str, columns)) if isinstance(columns, list | tuple) else False

    def sort(self, dataset: str, facts: PersonFacts) -> FactSort:
        """Of which facts this many are known."""
        held: list[FactSort] = ["labels"] if facts.sets is not None else []
        held += ["places"] if facts.places else []
        if self.asked is not None and self.asked not in held:
            word = next(word for word, sort in _WORDS.items() if sort == self.asked)
            raise PolicyError(f"knows — {dataset} publishes no {word} — leave them out")
        if self.asked is not None:
            return self.asked
        if len(held) > 1:
            what = f"{dataset} publishes codes and DNA, and a plain number does not say which are known"
            raise PolicyError(f"knows — {what} — write {dataset}: {{codes: {self.most}, snps: {self.most}}}")
        return held[0] if held else "rows"

    def shown_columns(self, dataset: str, facts: PersonFacts) -> tuple[str, ...]:
        """The columns that count."""
        if self.columns is not None:
            return self.columns
        return facts.places if self.sort(dataset, facts) == "places" else facts.knowable


def known_parts(knows: Knows) -> list[tuple[str, Known]]:
    """(dataset, what is known of it), one for each sort of facts."""
    return [(name, one) for name, given in knows.items() for one in Known.of(name, given)]


def _is_number(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and given >= 0
