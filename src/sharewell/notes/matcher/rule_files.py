"""Rules, lexicons and locale packs, read from files: every mistake is told with its file, rule and field.

`notes/rules/NAME.toml` holds the rules of the detector NAME; `notes/locales/COUNTRY/NAME.toml` adds those of a country.
`notes/lexicons/NAME.txt` (or .txt.gz) is a list of words, lines that begin with # say where it is from. A file may have
a table `[pieces]`: `{year}` in a pattern stands for the piece `year` of the same file, else for the one that all files
share (`engine/pattern_pieces`), else for the alternatives that the locale packs give under that name
(`locales/COUNTRY/pieces.toml`), else for the words of that lexicon.
"""

from __future__ import annotations

import re
import tomllib
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sharewell.errors import Mistake, PolicyError
from sharewell.io.kept_files import worked_out
from sharewell.io.plain_files import small_file
from sharewell.io.shipped import package_files, package_text
from sharewell.notes.engine.pattern_pieces import PIECES
from sharewell.notes.engine.spans import KINDS, SAFE
from sharewell.notes.engine.word_lists import lexicon, lexicon_files
from sharewell.notes.matcher.backtracking import TooLongToCheck, explodes, widths
from sharewell.notes.matcher.named_guards import guard
from sharewell.notes.matcher.pattern_beginnings import beginning, first_characters
from sharewell.notes.matcher.phrases import GAZETTEERS
from sharewell.notes.matcher.rule import FEW_PLACES, FIELDS, SEEN, WINDOW, Rule
from sharewell.roles import did_you_mean

Fields = dict[str, Any]
"""The fields of a rule, as JSON can hold them: patterns with their pieces put in, guards by their names."""
_PIECE = re.compile(r"\{([a-z][a-z_]*)\}")
_DEFAULTS = ("kind", "one_line", "as_written", "as_named")
"""Fields that a file may give for all its rules."""
DRUGS = "drugs"
"""The detector that is no file of rules, and that rules may follow."""
_CUES = ("words", "digits", "sign", "run", "phrases", "follows")
_PATTERNS = ("pattern", "sign", "before", "not_before", "after", "not_after")
_PIECES_OF_PACK = "pieces"
_UNAMBIGUOUS = (
    "let what is repeated begin with a sign that is not in the rest of it: (?: [a-z]+)* and not (?:[a-z]+ ?)*"
)
_LONGEST = 1_000_000
"""A pattern with its pieces put in: pieces hold pieces, so a short file could stand for an endless one."""


@cache
def locales() -> tuple[str, ...]:
    """The countries that have a pack."""
    return tuple(sorted({file.split("/")[2] for file in package_files("notes/locales", ".toml")}))


@cache
def _of_packs() -> dict[str, list[str]]:
    """What the locale packs give under each name: alternatives of a pattern."""
    results: dict[str, list[str]] = {}
    for country in locales():
        for file in package_files(f"notes/locales/{country}", f"/{_PIECES_OF_PACK}.toml"):
            for name, text in tomllib.loads(package_text(file)).items():
                results.setdefault(name, []).append(_PIECE.sub(lambda match: PIECES[match[1]], _one_line(text)))
    return results


@cache
def shipped(detector: str) -> tuple[Rule, ...]:
    """The rules of a shipped detector: its own file first, then what locale packs add."""
    return tuple(_made(fields) for fields in _shipped_fields().get(detector, ()))


@cache
def _shipped_fields() -> dict[str, list[Fields]]:
    """Detector → the fields of its rules, read from all files once on a machine."""
    return worked_out(
        "rules", ("notes", "data/notes"), lambda: {name: _read_fields(name) for name in shipped_detectors()}
    )


def _read_fields(detector: str) -> list[Fields]:
    files = [*package_files("notes/rules", f"/{detector}.toml"), *package_files("notes/locales", f"/{detector}.toml")]
    return [fields for file in files for fields in _parsed(package_text(file), file, detector, own=False)]


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


def parse(source: str, file: str, detector: str, own: bool = True) -> tuple[Rule, ...]:
    """The rules of a file's text. Raises PolicyError with every mistake. own: the file is a user's, so every pattern is
    tried now, and not when a note first has the rule's cue, its time is bounded, and so is the text that it sees."""
    return tuple(map(_made, _parsed(source, file, detector, own)))


def _parsed(source: str, file: str, detector: str, own: bool) -> list[Fields]:
    try:
        document = tomllib.loads(source)
    except RecursionError:
        raise PolicyError("no TOML — brackets are nested too deep — a file of rules needs two levels", file) from None
    except ValueError as error:  # TOMLDecodeError, and what int() says of a number of thousands of digits
        raise PolicyError(f"no TOML — {error}", file) from None
    reader = _Reader(source, detector, file, document, own)
    rules = list(reader.rules())
    if reader.mistakes:
        raise PolicyError(reader.mistakes, file)
    return [fields | _beginnings(_made(fields)) for fields in rules]


def _beginnings(rule: Rule) -> Fields:
    """What the patterns of a rule begin with, as far as its cue asks for it."""
    asked: Fields = {"begins": rule.cue_beginning} if rule.digits or rule.run or rule.sign else {}
    return asked | ({"first": first_characters(beginning(rule.pattern).nodes)} if rule.reach > FEW_PLACES else {})


def _made(fields: Fields) -> Rule:
    """The rule of some fields."""
    made: Fields = {key: tuple(fields[key]) for key in ("spans", "found", "not_found") if key in fields}
    made |= {"guards": tuple(guard(text, lexicon) for text in fields.get("guards", ()))}
    made |= {"words": frozenset(fields["words"]), "digits": tuple(fields["digits"]) if fields["digits"] else None}
    return Rule(**(fields | made))


class _Reader:
    """One file: what it says, and what is wrong with it."""

    def __init__(self, source: str, detector: str, file: str, document: dict[str, Any], own: bool) -> None:
        self.detector, self.file, self.document, self.own = detector, file, document, own
        self.mistakes: list[Mistake] = []
        starts = re.finditer(r"^\[\[rule\]\]", source, re.MULTILINE)
        self.lines = [source.count("\n", 0, match.start()) + 1 for match in starts]
        self.pieces: dict[str, str] = {}
        pieces = document.get(_PIECES_OF_PACK, {})
        if not isinstance(pieces, dict):
            self.mistake(0, _PIECES_OF_PACK, "must be a table of texts", "begin it with a line [pieces]")
            return
        for name, text in pieces.items():
            if isinstance(text, str):
                self.pieces[name] = self.expanded(text, 0, f"pieces.{name}")
            else:
                self.mistake(0, f"pieces.{name}", "must be a text")

    def mistake(self, line: int, where: str, what: str, hint: str = "") -> None:
        self.mistakes.append(Mistake(line, 1 if line else 0, where, what, hint))

    def rules(self) -> Iterator[Fields]:
        for key in self.document:
            if key not in ("about", "rule", _PIECES_OF_PACK, *_DEFAULTS):
                hint = f"a file of rules has about, {', '.join(_DEFAULTS)}, pieces and rule"
                self.mistake(0, key, "no such table", hint)
        names: set[str] = set()
        for given, line in self.tables():
            before = len(self.mistakes)
            given = {key: self.document[key] for key in _DEFAULTS if key in self.document} | given
            name = str(given.get("name", ""))
            self.check(given, line, f"rule {name or '(no name)'}")
            if name in names:
                self.mistake(line, f"rule {name}", "two rules have this name", "rename one")
            names.add(name)
            if len(self.mistakes) == before:
                yield self.rule(given, line)

    def tables(self) -> Iterator[tuple[dict[str, Any], int]]:
        """The tables of the rules and their lines; 0 where rules are not written as [[rule]] alone on a line."""
        tables = self.document.get("rule", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.mistake(0, "rule", "must be a list of tables", "begin each rule with a line [[rule]]")
            return
        yield from zip(tables, self.lines if len(self.lines) == len(tables) else [0] * len(tables), strict=True)

    def check(self, given: Mapping[str, Any], line: int, where: str) -> None:
        """Names, types and what must be there."""
        for key, entry in given.items():
            if key not in FIELDS:
                self.mistake(line, f"{where}, {key}", "no such field", did_you_mean(key, FIELDS))
            elif not FIELDS[key].fits(entry):
                self.mistake(line, f"{where}, {key}", FIELDS[key].expected)
        for key in ("name", "kind", "certainty", "pattern", "found", "not_found"):
            if key not in given or given[key] in ("", []):
                self.mistake(line, f"{where}, {key}", "is missing", "every rule has it")
        cues = [cue for cue in _CUES if cue in given and (cue, "digits" in given) != ("sign", True)]
        if len(cues) != 1 or not given[cues[0]]:
            self.mistake(line, where, "must have one cue", f"one of {', '.join(_CUES)}")
        if isinstance(kind := given.get("kind"), str) and kind not in (SAFE, *KINDS):
            self.mistake(line, f"{where}, kind", "no such kind", f"one of {', '.join(KINDS)}")

    def rule(self, given: Mapping[str, Any], line: int) -> Fields:
        """The fields of a rule, with what its patterns name put in."""
        where = f"rule {given['name']}"
        texts = {key: self.expanded(given[key], line, f"{where}, {key}") for key in _PATTERNS if key in given}
        for key, text in texts.items() if self.own else ():
            if what := _wrong_with(key, text):
                self.mistake(line, f"{where}, {key}", *what)
            elif key == "pattern":
                self.groups(text, given.get("spans", []), line, where)
        for text in given.get("guards", ()):
            self.guard(text, line, where)
        own: Fields = {"detector": self.detector, "place": self.file, "seen": SEEN if self.own else None}
        own |= {"certainty": float(given["certainty"]), "digits": _digits(given.get("digits"))}
        own["words"] = self.words(given.get("words", []), line, where)
        own["phrases"] = self.phrases(given.get("phrases", ""), line, where)
        own["follows"] = self.follows(given.get("follows", ""), line, where)
        return {**given, **texts, **own}

    def groups(self, pattern: str, spans: Sequence[str], line: int, where: str) -> None:
        known = re.compile(pattern).groupindex
        for name in spans:
            if name not in known:
                hint = did_you_mean(name, known) or f"write (?P<{name}>…) in the pattern, or leave it out here"
                self.mistake(line, f"{where}, spans", f"the pattern has no group {name}", hint)

    def guard(self, text: str, line: int, where: str) -> None:
        try:
            guard(text, lexicon)
        except (KeyError, ValueError):
            self.mistake(line, f"{where}, guards", f"no guard {text}", "see `sharewell notes rules guards`")

    def words(self, given: str | Sequence[str], line: int, where: str) -> list[str]:
        """Words of a list; a text with blanks is a list, one without the name of a lexicon."""
        if isinstance(given, str) and not given.split()[1:]:
            try:
                return sorted(lexicon(given))
            except KeyError:
                self.mistake(line, f"{where}, words", "no such lexicon", did_you_mean(given, lexicon_files()))
                return []
        return sorted(given.split() if isinstance(given, str) else given)

    def phrases(self, name: str, line: int, where: str) -> str:
        if name and name not in GAZETTEERS and name not in lexicon_files():
            known = (*GAZETTEERS, *lexicon_files())
            self.mistake(line, f"{where}, phrases", "no such gazetteer or lexicon", did_you_mean(name, known))
        return name

    def follows(self, name: str, line: int, where: str) -> str:
        known = (DRUGS, *shipped_detectors())
        if name and name not in known:
            self.mistake(line, f"{where}, follows", "no such detector of rules", did_you_mean(name, known))
        return name

    def expanded(self, text: str, line: int, where: str) -> str:
        """A pattern in one line, with its pieces put in."""

        long = 0

        def piece(match: re.Match[str]) -> str:
            nonlocal long
            result = self.piece(match[1])
            if result is None:
                self.mistake(line, where, f"no piece, locale piece or lexicon {match[1]}")
                return ""
            long += len(result)
            return result if long <= _LONGEST else ""

        whole = _PIECE.sub(piece, _one_line(text))
        if long > _LONGEST:
            self.mistake(line, where, "is too long with its pieces put in", f"at most {_LONGEST:,} characters")
        return whole

    def piece(self, name: str) -> str | None:
        """What {name} stands for."""
        if name in self.pieces:
            return self.pieces[name]
        if name in PIECES:
            return PIECES[name]
        if name in _of_packs():
            return "(?:" + "|".join(_of_packs()[name]) + ")"
        return alternation(name) if name in lexicon_files() else None


def _wrong_with(key: str, text: str) -> tuple[str, str] | None:
    """What is wrong with a pattern of a user's own rule, and what to do."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # "possible nested set": it means something else than it seems to
            re.compile(rf"(?:{text})\Z" if key in ("before", "not_before") else text)
            slow = explodes(text)
    except (re.error, OverflowError, FutureWarning, DeprecationWarning) as error:
        return f"no regular expression: {error}", "Python's re says how patterns are written"
    except (RecursionError, TooLongToCheck):
        return "is too long or nested too deep", "write several rules"
    if slow:
        return "a repetition in it reads the same text in several ways, which may take for ever", _UNAMBIGUOUS
    if key == "sign" and not 1 <= widths(text)[0] <= widths(text)[1] <= WINDOW:
        return f"must be of 1 to {WINDOW} characters", "give the short part that the pattern goes over"
    return None


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
