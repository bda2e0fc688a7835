"""Reading a policy: one notebook for every mistake, and one way to check a mapping against a record's fields.

A record is a plain frozen dataclass: its fields are the keys (or parameters) that a policy may give, its annotations
say of what type. Pydantic checks each value on its own, so that every wrong one is found, not only the first.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, is_dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Union, get_args, get_type_hints

from sharewell.errors import Mistake, PolicyError
from sharewell.io.plain_files import small_file
from sharewell.io.yaml_positions import Document, dotted, parse
from sharewell.io.yaml_positions import Path as Place
from sharewell.parameters import advice, declared, noun, problem
from sharewell.plain_data import ANYTHING, Hint, Json, JsonObject, origin_of
from sharewell.roles import did_you_mean

_FRACTION = re.compile(r"\s*(\d{1,18})\s*/\s*(\d{1,18})\s*")
_UNFIT = object()


@dataclass
class MistakeCollector:
    """A document, the folder its paths start from, and the mistakes found so far."""

    document: Document
    base: Path
    mistakes: list[Mistake] = field(default_factory=list)

    @classmethod
    def of_file(cls, path: Path) -> tuple[MistakeCollector, bytes]:
        """A YAML file, with what is wrong with it as YAML, and its bytes. Paths in it start from its folder."""
        raw = small_file(path)
        try:
            document = parse(raw.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            line = raw.count(b"\n", 0, error.start) + 1
            raise PolicyError([Mistake(line, 1, "", "not valid UTF-8", "save the file as UTF-8")], path.name) from None
        return cls(document, path.absolute().parent, document.mistakes), raw

    def mistake(self, path: Place, what: str, hint: str = "", *, where: Place | None = None) -> None:
        """Note a mistake at a path; `where` if another path should be named."""
        line, column = self.document.at(path)
        self.mistakes.append(Mistake(line, column, dotted(path if where is None else where), what, hint))

    def borrow(self, error: PolicyError, path: Place) -> None:
        """Take over mistakes that were found without knowing where."""
        for result in error.mistakes:
            self.mistake(path, result.what, result.hint)

    def fields(
        self,
        record: type,
        given: Json,
        path: Place,
        *,
        noun: str = "key",
        apart: Collection[str] = (),
        hide: bool = False,
        optional: Collection[str] = (),
    ) -> JsonObject:
        """The values that fit the record's fields. Fields `apart` are passed on as they are; `hide` leaves keys unsaid.

        Fields `optional` may be left out although the record requires them; what has nothing behind it is left out.
        """
        if not isinstance(given, dict):
            self.mistake(path, f"must be a mapping of {noun}s", f"known: {', '.join(known_fields(record)) or 'none'}")
            return {}
        known, hints = known_fields(record), hints_of(record)
        for key in given:
            if key not in known:
                self._unknown(key, list(known), path, noun, hide)
        fitting: JsonObject = {}
        for name, one in known.items():
            if given.get(name) is None:
                if required(one) and name not in optional:
                    state = "is empty" if name in given else "is missing"
                    wanted = _wanted(hints.get(name, ANYTHING))
                    if name in apart and not wanted.startswith("it must be a list"):
                        wanted = "name a file, such as {csv: people.csv}"
                    self.mistake((*path, name), f"the {noun} '{name}' {state}", wanted)
            elif name in apart:
                fitting[name] = given[name]
            elif (value := self.typed(hints.get(name, ANYTHING), given[name], (*path, name))) is not _UNFIT:
                self.check_range(record, name, value, (*path, name))
                fitting[name] = value
        return fitting

    def check_range(self, record: type, name: str, value: Json, path: Place) -> None:
        """A value of the right type must also lie in the range that the record declares."""
        hint = declared(record).get(name, ANYTHING)
        if wrong := problem(hint, value):
            entries = range(len(value)) if isinstance(value, Sequence) and not isinstance(value, str) else ()
            entry = next(((*path, i) for i in entries if problem(hint, [value[i]])), path)
            self.mistake(
                entry if entry in self.document.positions else path, f"{name} {wrong}", advice(record, name, wrong)
            )

    def _unknown(self, key: str, known: list[str], path: Place, noun: str, hide: bool) -> None:
        hint = did_you_mean(key, known) or (f"known: {', '.join(known)}" if known else f"it has no {noun}s")
        if hide:
            self.mistake((*path, key), f"unknown {noun}", hint, where=path)
        else:
            self.mistake((*path, key), f"unknown {noun} '{key}'", hint)

    def typed(self, hint: Hint, value: Json, path: Place) -> Json:
        """The value as the annotation wants it; the text is never repeated in the mistake."""
        if hint is ANYTHING:
            return value
        number = _exact(hint, value)
        if number is not None:
            return number
        from pydantic import ValidationError

        inner: tuple[str | int, ...] = ()
        try:
            if not _is_truth_for_number(hint, value):
                return _adapter(hint).validate_json(json.dumps(value), strict=True)
        except ValidationError as error:
            inner = error.errors(include_url=False, include_input=False, include_context=False)[0]["loc"]
        except ZeroDivisionError:  # some versions of pydantic pass on what "1/0" raises
            pass
        place = (*path, *inner) if (*path, *inner) in self.document.positions else path
        subject = str(path[-1]) if place == path else f"an entry of {path[-1]}"
        self.mistake(place, f"{subject} {_in_words(hint, inside=place != path)}", _advice(hint, value))
        return _UNFIT


def known_fields(record: type) -> dict[str, dataclasses.Field[object]]:
    """What a policy may give."""
    return {f.name: f for f in dataclasses.fields(record) if f.init}


def required(one: dataclasses.Field[object]) -> bool:
    return one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING


@cache
def hints_of(record: type) -> JsonObject:
    """Annotations by name; a record whose annotations cannot be resolved checks its values itself."""
    try:
        return get_type_hints(record)
    except NameError:
        return {}


@cache
def _adapter(hint: Hint) -> Json:
    from pydantic import ConfigDict, TypeAdapter

    config = None if is_dataclass(hint) else ConfigDict(arbitrary_types_allowed=True)
    return TypeAdapter(hint, config=config)


def _exact(hint: Hint, value: Json) -> Fraction | float | None:
    """A bound written as "1/11" or, where exact numbers are kept, as a decimal; None if neither."""
    members = get_args(hint) or (hint,)
    if isinstance(value, str) and (match := _FRACTION.fullmatch(value)) and int(match[2]):
        exact = Fraction(int(match[1]), int(match[2]))
        return exact if Fraction in members else float(exact) if float in members else None
    if Fraction in members and isinstance(value, float):
        return Fraction(str(value))
    return None


def _is_truth_for_number(hint: Hint, value: Json) -> bool:
    """Is it `true` or `false` where an exact number is wanted? Some versions of pydantic take them for 1 and 0."""
    members = get_args(hint) or (hint,)
    return isinstance(value, bool) and Fraction in members and bool not in members


def _wanted(hint: Hint) -> str:
    return "" if hint is ANYTHING else f"it {_in_words(hint)}"


def _in_words(hint: Hint, inside: bool = False) -> str:
    """What a value must be, for those who write policies and not Python; `inside` for an entry of a list or mapping.

    >>> from typing import Literal
    >>> _in_words(int), _in_words(Literal["person", "record"]), _in_words(str | None)
    ('must be a whole number', 'must be one of person, record', 'must be text')
    """
    if inside:
        parts = [part for part in get_args(hint) if part is not Ellipsis]
        union = origin_of(hint) in (Union, UnionType)
        return f"must be {noun(parts[-1])}" if parts and not union else "is not of the right type"
    return f"must be {noun(hint)}"


def _advice(hint: Hint, value: Json) -> str:
    """What to do about a value of the wrong type."""
    members = get_args(hint) or (hint,)
    words = [member for member in members if isinstance(member, str)]
    if isinstance(value, str) and words:
        return did_you_mean(value, words)
    if str in members and isinstance(value, int | float):
        return "put it in quotes"
    if isinstance(value, str) and (int in members or float in members) and value.replace(".", "", 1).isdigit():
        return "take the quotes off"
    return ""
