"""`clean:` of a source — for each column the steps that turn what is written in many ways into one.

A column names its steps, or one of the short words `trim`, `upper`, `lower`, `title`, `number`, `zip5`. Entries of
`recode` are cell values: no message repeats them. A column with `join` is none of the file's: it is the person by
several of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal

from annotated_types import Interval

from sharewell.errors import PolicyError
from sharewell.io.cleaning import BLANKS, Case, Cleaning, in_case
from sharewell.io.date_forms import form_problem
from sharewell.io.joined_person import STEP, JoinedPerson
from sharewell.io.number_forms import NumberForm
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.mistakes import MistakeCollector
from sharewell.roles import did_you_mean

SHORT: dict[str, JsonObject] = {
    "trim": {"trim": True},
    "upper": {"case": "upper"},
    "lower": {"case": "lower"},
    "title": {"case": "title"},
    "number": {"number": True},
    "zip5": {"zip5": True},
}
"""One word for a column of one step."""
_READING = ("zip5", "date", "number")
"""Steps that read a text as something; a column has one of them at most."""
_OF_DATES = ("day_first", "first_year", "time")
_DOUBTFUL = "doubtful"
_LEAST_PARTS = 2


@dataclass(frozen=True, kw_only=True)
class CleaningSpec:
    """How one column is cleaned, in this order: split, trim, case, recode, then one of zip5, date, number."""

    split: Annotated[str | None, "What stands between the values of one cell; for lists of codes."] = None
    trim: Annotated[bool, "Take blanks off both ends, also those that do not break or have no width."] = False
    case: Annotated[Case | None, "Write all letters in upper or lower case, or words with a capital."] = None
    recode: Annotated[JsonObject | None, "Texts and what is put in their place; nothing (~) makes them missing."] = None
    zip5: Annotated[Json, "US postcodes to five digits; {pad: true} if leading zeros were lost."] = None
    date: Annotated[Json, "The forms of dates, such as %d.%m.%Y, in the order in which they are tried."] = None
    day_first: Annotated[bool | None, "Which order of day and month holds where two of the forms fit."] = None
    first_year: Annotated[
        Annotated[int, Interval(ge=1800, le=2100)] | None, "The first of the hundred years that %y stands for."
    ] = None
    time: Annotated[Literal["keep", "drop"], "What becomes of a time of day behind a date."] = "keep"
    number: Annotated[Json, 'Numbers, with their signs of decimals and thousands: {decimal: ",", thousands: .}.'] = None
    unreadable: Annotated[
        Literal["refuse", "missing"], "Cells that cannot be read: an error, or counted and made missing."
    ] = "refuse"
    join: Annotated[
        list[str] | None, "A new column, the person: whoever has the same in these columns, name and date of birth say."
    ] = None
    doubtful: Annotated[
        Annotated[float, Interval(ge=0, le=1)],
        "For join: the share of persons that you accept who may be counted twice, under two spellings.",
    ] = 0.01


@dataclass(frozen=True, kw_only=True)
class NumberSpec:
    """How numbers are written."""

    decimal: Annotated[Literal[".", ","] | None, "The decimal sign."] = None
    thousands: Annotated[Literal[".", ",", " ", "'", "_"] | None, "What stands between thousands, if anything."] = None
    unit: Annotated[str | None, "What stands before or behind numbers, such as $, % or kg; it is taken off."] = None


@dataclass(frozen=True, kw_only=True)
class Zip5Spec:
    """How postcodes are written."""

    pad: Annotated[bool, "Put back leading zeros that a spreadsheet took away."] = False


@dataclass(frozen=True)
class FileDefaults:
    """What the source says of all its columns."""

    decimal: str | None = None
    thousands: str | None = None
    day_first: bool | None = None

    @classmethod
    def of(cls, source: Mapping[str, Json]) -> FileDefaults:
        """From a source as it is written."""
        return cls(*(source.get(key) for key in ("decimal", "thousands", "day_first")))


def cleanings(
    reading: MistakeCollector, given: Json, path: Place, defaults: FileDefaults, lists_in: str = ""
) -> dict[str, Cleaning]:
    """The cleaning of every column that is named. lists_in: kinds of data that read lists, where this one does not."""
    if not isinstance(given, dict):
        reading.mistake(path, "must be a mapping of columns", "such as {sex: trim}")
        return {}
    results = {name: _Column(reading, (*path, name), defaults, lists_in).read(entry) for name, entry in given.items()}
    known = {name: cleaning for name, cleaning in results.items() if cleaning is not None}
    joined = [name for name, cleaning in known.items() if isinstance(cleaning, JoinedPerson)]
    for name in joined[1:]:
        reading.mistake((*path, name), f"a second joined person; the first is '{joined[0]}'", "keep one")
    return known


def all_cleanings(reading: MistakeCollector) -> Iterator[dict[str, Cleaning]]:
    """What every `clean` of a document says, wherever it stands."""
    places: list[tuple[Place, Json]] = [((), reading.document.plain)]
    while places:
        path, plain = places.pop()
        if isinstance(plain, dict):
            if isinstance(plain.get("clean"), dict):
                yield cleanings(reading, plain["clean"], (*path, "clean"), FileDefaults.of(plain))
            places += [((*path, key), value) for key, value in plain.items()]
        elif isinstance(plain, list):
            places += [((*path, i), value) for i, value in enumerate(plain)]


@dataclass(frozen=True)
class _Column:
    """The entry of one column, while it is read."""

    reading: MistakeCollector
    path: Place
    defaults: FileDefaults
    lists_in: str

    def mistake(self, key: str, what: str, hint: str = "") -> None:
        self.reading.mistake((*self.path, key), what, hint)

    def read(self, entry: Json) -> Cleaning | None:
        """None if anything is wrong with it."""
        before = len(self.reading.mistakes)
        if isinstance(entry, str):
            if entry not in SHORT:
                self.reading.mistake(self.path, *_no_such_step(entry))
                return None
            entry = SHORT[entry]
        fields = self.reading.fields(CleaningSpec, entry, self.path, noun="step")
        if STEP in fields:
            result = self._joined(fields)
            return result if len(self.reading.mistakes) == before else None
        if _DOUBTFUL in fields:
            self.mistake(_DOUBTFUL, f"{_DOUBTFUL} is for the step {STEP}", "take it out")
        if not fields and len(self.reading.mistakes) == before:
            self.reading.mistake(self.path, "names no step", f"such as {', '.join(SHORT)}, recode or date")
        settings: JsonObject = {key: fields[key] for key in ("trim", "case", "time", "unreadable") if key in fields}
        settings |= {"recode": self._recode(fields), "date": self._date(fields), "split": self._split(fields)}
        settings |= self._zip5(fields.get("zip5")) | {"number": self._number(fields.get("number"))}
        if settings["date"]:
            settings["day_first"] = fields.get("day_first", self.defaults.day_first)
            settings["first_year"] = fields.get("first_year")
        self._refuse_idle(fields)
        return Cleaning(**settings) if len(self.reading.mistakes) == before else None

    def _joined(self, fields: JsonObject) -> JoinedPerson:
        """The person by several columns. Nothing else can be done to a column that is not there yet."""
        for key in fields:
            if key not in (STEP, _DOUBTFUL):
                self.mistake(key, f"a joined column takes no step {key}", "clean the columns that it is joined of")
        parts = fields[STEP]
        if len(set(parts)) < max(_LEAST_PARTS, len(parts)):
            self.mistake(STEP, "join must list two different columns or more", "such as [last, first, birth_date]")
        if self.path[-1] in parts:
            self.mistake(STEP, "a column cannot be a part of itself", "give the joined column a name of its own")
        return JoinedPerson(parts=tuple(parts), doubtful=Fraction(str(fields.get(_DOUBTFUL, CleaningSpec.doubtful))))

    def _recode(self, fields: JsonObject) -> Mapping[str, str]:
        """Keys must be as the steps before leave cells, or they would stand for nothing."""
        given = fields.get("recode") or {}
        place, texts = (*self.path, "recode"), self.reading.document.texts
        recode: dict[str, str] = {}
        for key, value in given.items():
            if isinstance(value, dict | list):
                self.reading.mistake((*place, key), "an entry of recode must be text", where=place)
                continue
            recode[key] = "" if value is None else texts.get((*place, key), str(value))
            if "case" in fields and in_case(key, fields["case"]) != key:
                what = f"an entry of recode applies to nothing: case: {fields['case']} comes before it"
                self.reading.mistake((*place, key), what, f"write it in {fields['case']} case", where=place)
            elif fields.get("trim") and key.strip(BLANKS) != key:
                what = "an entry of recode applies to nothing: trim comes before it"
                self.reading.mistake((*place, key), what, "take the blanks off its ends", where=place)
        if "recode" in fields and not given:
            self.mistake("recode", "recode is empty", "such as {female: F}")
        return recode

    def _date(self, fields: JsonObject) -> tuple[str, ...]:
        given = fields.get("date")
        if given is None:
            return ()
        forms = [given] if isinstance(given, str) else given
        if not isinstance(forms, list) or not forms or not all(isinstance(form, str) for form in forms):
            self.mistake("date", "date must be a list of forms", 'such as ["%d.%m.%Y", "%Y-%m-%d"]')
            return ()
        for i, form in enumerate(forms):
            place = (*self.path, "date") if isinstance(given, str) else (*self.path, "date", i)
            if problem := form_problem(form):
                self.reading.mistake(place, f"a form of dates {problem}", 'such as "%d.%m.%Y"')
            elif form in forms[:i]:
                self.reading.mistake(place, "the same form stands twice", "keep one")
            elif "%y" in form and "first_year" not in fields:
                hint = "say first_year: 1930, say, for 1930 to 2029"
                self.reading.mistake(place, "years of two digits stand for no century", hint)
        return tuple(forms)

    def _number(self, given: Json) -> NumberForm | None:
        if given is None or given is False:
            return None
        if given is not True and not isinstance(given, dict):
            self.mistake("number", "number must be a mapping, or true", 'such as {decimal: ","}')
            return None
        place = (*self.path, "number")
        fields = {} if given is True else self.reading.fields(NumberSpec, given, place)
        thousands = fields.get("thousands")
        decimal = fields.get("decimal") or self.defaults.decimal or ("," if thousands == "." else ".")
        if thousands is None and self.defaults.thousands != decimal:
            thousands = self.defaults.thousands
        try:
            return NumberForm(decimal, thousands, fields.get("unit"))
        except PolicyError as error:
            self.reading.borrow(error, place)
            return None

    def _zip5(self, given: Json) -> JsonObject:
        if given is None or isinstance(given, bool):
            return {"zip5": bool(given)}
        if not isinstance(given, dict):
            self.mistake("zip5", "zip5 must be true, or {pad: true}")
            return {}
        return {"zip5": True, **self.reading.fields(Zip5Spec, given, (*self.path, "zip5"))}

    def _split(self, fields: JsonObject) -> str | None:
        separator: str | None = fields.get("split")
        if separator == "":
            self.mistake("split", "the separator is empty", 'such as "|" or ";"')
        if separator is not None and self.lists_in:
            hint = f"drop the column here, and read the file again in a dataset of kind {self.lists_in}"
            self.mistake("split", "split makes lists, which this kind of data does not read", hint)
        return separator

    def _refuse_idle(self, fields: JsonObject) -> None:
        """Steps that exclude each other, and settings of steps that are not asked for."""
        asked = [key for key in _READING if fields.get(key) not in (None, False)]
        for key in asked[1:]:
            self.mistake(key, f"a column that is read as {asked[0]} cannot be read as {key}", "keep one of them")
        for key in _OF_DATES:
            if key in fields and "date" not in asked:
                self.mistake(key, f"{key} is for the step date", "take it out, or list the forms of dates")
        if "first_year" in fields and "date" in asked and "%y" not in str(fields["date"]):
            self.mistake("first_year", "first_year is for years of two digits (%y)", "take it out")
        if "unreadable" in fields and not asked:
            self.mistake("unreadable", f"unreadable is for {', '.join(_READING)}", "take it out")


def _no_such_step(word: str) -> tuple[str, str]:
    if word == "date":
        return "date needs the forms of dates", 'such as {date: ["%d.%m.%Y", "%Y-%m-%d"]}'
    return f"no step named '{word}'", did_you_mean(word, SHORT) or f"one of {', '.join(SHORT)}, or a mapping of steps"
