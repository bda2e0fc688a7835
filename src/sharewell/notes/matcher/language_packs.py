"""Language packs: `notes/languages/CODE` holds all that the matcher knows of a language but English.

- `pack.toml`: the name by which policies choose it, its months and days of the week, which detectors of `notes/rules`
  serve it too, and what surrogates keep of a street or a hospital.
- every other `.toml`: rules, as in `notes/rules`, each file a detector called LANGUAGE-FILE (`german-names`).
- `.txt` and `.txt.gz`: lexicons. A rule names them with the code in front: `words = "de_women"`.

`women`, `men`, `surnames`, `places` and `words` (words that are no names) must be among the lexicons: surrogates are
drawn from the first four. A pack is read when a note of its language comes, and no sooner.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from sharewell.io.shipped import package_files, package_text
from sharewell.notes.engine.word_lists import lexicon
from sharewell.notes.matcher.matching import RuleDetector
from sharewell.notes.matcher.rule import Rule
from sharewell.notes.matcher.rule_files import parse

_FOLDER, _MANIFEST = "notes/languages", "pack"


@dataclass(frozen=True, eq=False)
class LanguagePack:
    """What `pack.toml` says, and the rules and lexicons beside it."""

    code: str
    name: str
    countries: tuple[str, ...]
    shared: tuple[str, ...]
    day_first: bool
    months: tuple[tuple[str, ...], ...]
    """The spellings of each month: whole, short, others."""
    weekdays: tuple[tuple[str, ...], ...]
    of: frozenset[str]
    endings: tuple[str, ...]
    kept: frozenset[str]
    titles: Mapping[str, str]
    """A word before a name → the gender it tells."""

    @classmethod
    def read(cls, code: str) -> LanguagePack:
        given = tomllib.loads(package_text(f"{_FOLDER}/{code}/{_MANIFEST}.toml"))
        women, men = given["titles_women"].split(), given["titles_men"].split()
        return cls(
            code=code,
            name=given["name"],
            countries=tuple(given["countries"]),
            shared=tuple(given["shared"]),
            day_first=given["day_first"],
            months=_spellings(given["months"]),
            weekdays=_spellings(given["weekdays"]),
            of=frozenset(given["of"]),
            endings=tuple(given["endings"]),
            kept=frozenset(given["kept"].split()),
            titles=dict.fromkeys(women, "f") | dict.fromkeys(men, "m"),
        )

    def words(self, name: str) -> frozenset[str]:
        """A lexicon of the pack."""
        return lexicon(f"{self.code}_{name}")

    @cached_property
    def detectors(self) -> tuple[RuleDetector, ...]:
        """A detector for each of its files of rules."""
        files = package_files(f"{_FOLDER}/{self.code}", ".toml")
        stems = {file: file.rpartition("/")[2].removesuffix(".toml") for file in files}
        return tuple(
            RuleDetector(name, parse(package_text(file), file, name, own=False))
            for file, stem in stems.items()
            if stem != _MANIFEST and (name := f"{self.name}-{stem}")
        )

    @property
    def rules(self) -> list[Rule]:
        return [rule for detector in self.detectors for rule in detector.rules]


def _spellings(given: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(entry.split()) for entry in given)


@cache
def language_packs() -> dict[str, LanguagePack]:
    """Every pack by the name that policies use."""
    files = package_files(_FOLDER, f"/{_MANIFEST}.toml")
    packs = (LanguagePack.read(file.split("/")[-2]) for file in files)
    return {pack.name: pack for pack in packs}
