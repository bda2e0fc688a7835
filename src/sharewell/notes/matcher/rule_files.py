"""Rules, lexicons and locale packs, read from files: every mistake is told with its file, rule and field.

`notes/rules/NAME.toml` holds the rules of the detector NAME; `notes/locales/COUNTRY/NAME.toml` adds those of a country.
`notes/lexicons/NAME.txt` (or .txt.gz) is a list of words, lines that begin with # say where it is from. A file may have
a table `[pieces]`: `{year}` in a pattern stands for the piece `year` of the same file, else for the alternatives that
the locale packs give under that name (`locales/COUNTRY/pieces.toml`), else for the words of that lexicon.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sharewell.errors import Mistake, PolicyError
from sharewell.io.plain_files import small_file
from sharewell.io.shipped import package_files, package_text
from sharewell.io.sources import Source
from sharewell.notes.engine.spans import KINDS, SAFE
from sharewell.notes.matcher.guards import guard
from sharewell.notes.matcher.rule import FIELDS, Rule
from sharewell.roles import did_you_mean

_PIECE = re.compile(r"\{([a-z][a-z_]*)\}")
_DEFAULTS = ("kind", "one_line", "as_written")
"""Fields that a file may give for all its rules."""
_CUES = ("words", "digits", "sign")
_PIECES_OF_PACK = "pieces"


@cache
def lexicon(name: str) -> frozenset[str]:
    """The words of notes/lexicons/NAME.txt."""
    if name not in _lexicon_files():
        raise KeyError(name)
    lines = package_text(_lexicon_files()[name]).splitlines()
    return frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#"))


@cache
def _lexicon_files() -> dict[str, str]:
    files = [*package_files("notes/lexicons", ".txt"), *package_files("notes/lexicons", ".txt.gz")]
    return {file.rpartition("/")[2].partition(".")[0]: file for file in files}


@cache
def locales() -> tuple[str, ...]:
    """The countries that have a pack."""
    return tuple(sorted({file.split("/")[2] for file in package_files("notes/locales", ".toml")}))


@cache
def _of_packs() -> dict[str, list[str]]:
    """What the locale packs give under each name: alternatives of a pattern."""
    found: dict[str, list[str]] = {}
    for country in locales():
        for file in package_files(f"notes/locales/{country}", f"/{_PIECES_OF_PACK}.toml"):
            for name, text in tomllib.loads(package_text(file)).items():
                found.setdefault(name, []).append(_one_line(text))
    return found


@cache
def shipped(detector: str) -> tuple[Rule, ...]:
    """The rules of a shipped detector: its own file first, then what locale packs add."""
    files = [*package_files("notes/rules", f"/{detector}.toml"), *package_files("notes/locales", f"/{detector}.toml")]
    return tuple(rule for file in files for rule in parse(package_text(file), file, detector))


@cache
def shipped_detectors() -> tuple[str, ...]:
    """Names of the detectors that have files of rules."""
    files = [*package_files("notes/rules", ".toml"), *package_files("notes/locales", ".toml")]
    names = {file.rpartition("/")[2].removesuffix(".toml") for file in files}
    return tuple(sorted(names - {_PIECES_OF_PACK}))


def read(path: Path) -> tuple[Rule, ...]:
    """The rules of a user's own file; they are a detector of the file's name."""
    try:
        return parse(small_file(path).decode("utf-8"), path.name, path.stem)
    except UnicodeDecodeError:
        raise PolicyError("is no UTF-8 text — save it as UTF-8", path.name) from None


class RuleFile(Source):
    """A user's own file of rules, as policies name it: known by its hash."""

    def names(self) -> list[str]:
        """It has no columns; but its rules must be in order."""
        try:
            if self.path is not None:
                read(self.path)
        except PolicyError as error:  # where this is asked, the place is the policy's: the message has the file's
            raise PolicyError(str(error).replace("\n", "; ")) from None
        return []


def parse(source: str, file: str, detector: str) -> tuple[Rule, ...]:
    """The rules of a file's text. Raises PolicyError with every mistake."""
    try:
        document = tomllib.loads(source)
    except tomllib.TOMLDecodeError as error:
        raise PolicyError(f"no TOML — {error}", file) from None
    reader = _Reader(source, detector, file, document)
    rules = tuple(reader.rules())
    if reader.mistakes:
        raise PolicyError(reader.mistakes, file)
    return rules


class _Reader:
    """One file: what it says, and what is wrong with it."""

    def __init__(self, source: str, detector: str, file: str, document: dict[str, Any]) -> None:
        self.detector, self.file, self.document = detector, file, document
        self.mistakes: list[Mistake] = []
        starts = re.finditer(r"^\[\[rule\]\]", source, re.MULTILINE)
        self.lines = [source.count("\n", 0, match.start()) + 1 for match in starts]
        self.pieces: dict[str, str] = {}
        for name, text in document.get(_PIECES_OF_PACK, {}).items():
            if isinstance(text, str):
                self.pieces[name] = self.expanded(text, 0, f"pieces.{name}")
            else:
                self.mistake(0, f"pieces.{name}", "must be a text")

    def mistake(self, line: int, where: str, what: str, hint: str = "") -> None:
        self.mistakes.append(Mistake(line, 1 if line else 0, where, what, hint))

    def rules(self) -> Iterator[Rule]:
        for key in self.document:
            if key not in ("about", "rule", _PIECES_OF_PACK, *_DEFAULTS):
                hint = f"a file of rules has about, {', '.join(_DEFAULTS)}, pieces and rule"
                self.mistake(0, key, "no such table", hint)
        names: set[str] = set()
        for given, line in zip(self.document.get("rule", []), self.lines, strict=True):
            before = len(self.mistakes)
            given = {key: self.document[key] for key in _DEFAULTS if key in self.document} | given
            name = str(given.get("name", ""))
            self.check(given, line, f"rule {name or '(no name)'}")
            if name in names:
                self.mistake(line, f"rule {name}", "two rules have this name", "rename one")
            names.add(name)
            if len(self.mistakes) == before and (rule := self.rule(given, line)):
                yield rule

    def check(self, given: Mapping[str, Any], line: int, where: str) -> None:
        """Names, types and what must be there."""
        for key, entry in given.items():
            if key not in FIELDS:
                self.mistake(line, f"{where}, {key}", "no such field", did_you_mean(key, FIELDS))
            elif not isinstance(entry, tuple(FIELDS[key])) and entry is not None:
                self.mistake(
                    line, f"{where}, {key}", "is of another type", " or ".join(t.__name__ for t in FIELDS[key])
                )
        for key in ("found", "not_found", "guards", "spans"):
            if not all(isinstance(entry, str) for entry in given.get(key, ())):
                self.mistake(line, f"{where}, {key}", "must be a list of texts")
        for key in ("name", "kind", "certainty", "pattern", "found", "not_found"):
            if not given.get(key):
                self.mistake(line, f"{where}, {key}", "is missing", "every rule has it")
        if sum(cue in given for cue in _CUES) != 1:
            self.mistake(line, where, "must have one cue", f"one of {', '.join(_CUES)}")
        if given.get("kind") not in (None, SAFE, *KINDS):
            self.mistake(line, f"{where}, kind", "no such kind", f"one of {', '.join(KINDS)}")
        certainty = given.get("certainty", 0.5)
        if not isinstance(certainty, int | float) or not 0 < certainty <= 1:
            self.mistake(line, f"{where}, certainty", "must be above 0 and at most 1")

    def rule(self, given: Mapping[str, Any], line: int) -> Rule | None:
        where = f"rule {given['name']}"
        texts = {
            key: self.expanded(given[key], line, f"{where}, {key}")
            for key in ("pattern", "sign", "before", "not_before", "after", "not_after")
            if key in given
        }
        for key, text in texts.items():
            try:
                re.compile(text)
            except re.error as error:
                self.mistake(line, f"{where}, {key}", f"no regular expression: {error}")
        guards = [self.guard(text, line, where) for text in given.get("guards", ())]
        rest = {key: given[key] for key in ("next", "as_written", "one_line", "reach") if key in given}
        lists = {key: tuple(given[key]) for key in ("spans", "found", "not_found") if key in given}
        return Rule(
            name=given["name"],
            kind=given["kind"],
            certainty=float(given["certainty"]),
            detector=self.detector,
            place=self.file,
            words=self.words(given.get("words", []), line, where),
            digits=_digits(given.get("digits")),
            guards=tuple(one for one in guards if one is not None),
            **texts,
            **lists,
            **rest,
        )

    def guard(self, text: str, line: int, where: str) -> Any:
        try:
            return guard(text, lexicon)
        except KeyError as error:
            self.mistake(line, f"{where}, guards", f"no guard or lexicon {error}", "see `sharewell notes rules guards`")
            return None

    def words(self, given: str | Sequence[str], line: int, where: str) -> frozenset[str]:
        """Words of a list; a text with blanks is a list, one without the name of a lexicon."""
        if isinstance(given, str) and not given.split()[1:]:
            try:
                return lexicon(given)
            except KeyError:
                self.mistake(line, f"{where}, words", "no such lexicon", did_you_mean(given, _lexicon_files()))
                return frozenset()
        return frozenset(given.split() if isinstance(given, str) else given)

    def expanded(self, text: str, line: int, where: str) -> str:
        """A pattern in one line, with its pieces put in."""

        def piece(match: re.Match[str]) -> str:
            name = match[1]
            if name in self.pieces:
                return self.pieces[name]
            if name in _of_packs():
                return "(?:" + "|".join(_of_packs()[name]) + ")"
            if name in _lexicon_files():
                return alternation(name)
            self.mistake(line, where, f"no piece, locale piece or lexicon {name}")
            return ""

        return _PIECE.sub(piece, _one_line(text))


@cache
def alternation(name: str) -> str:
    """The words of a lexicon as one group of a pattern, longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(lexicon(name), key=lambda word: (-len(word), word)))) + ")"


def _one_line(text: str) -> str:
    return re.sub(r"\n *", "", text)


def _digits(given: int | list[int] | None) -> tuple[int, int] | None:
    if given is None or isinstance(given, int):
        return None if given is None else (given, given)
    return given[0], given[-1]
