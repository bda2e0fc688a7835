"""Build the lists of names from which surrogates are drawn, and that tell given names from surnames.

`data/names/surrogate_names.csv`: names of women (`f`), men (`m`) and families (`s`) in the US with their share of the
people of that list, in the order of the alphabet. `data/names/given_genders.txt`: given names of eleven countries in
plain lower case, each after the letter of its gender (`f`, `m`, or `b` for both).
Both come from the Python package `faker` (MIT). Another version of it may draw other surrogates: that changes releases.
Run: python tools/build_surrogate_names.py
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path

from sharewell.notes.replacers.name_words import plain_word

NAMES = Path(__file__).parents[1] / "src" / "sharewell" / "data" / "names"
COUNTRIES = ("en_US", "en_GB", "es_ES", "es_MX", "fr_FR", "de_DE", "it_IT", "pt_BR", "nl_NL", "pl_PL", "en_IN")
"""Whose given names tell a gender; the first that lists a name counts."""


def lists_of_the_us() -> dict[str, Mapping[str, float]]:
    provider = importlib.import_module("faker.providers.person.en_US").Provider
    lists = {"f": provider.first_names_female, "m": provider.first_names_male, "s": provider.last_names}
    return {
        mark: {
            name: float(share) for name, share in names.items() if name.isalpha() and name.isascii() and len(name) > 2
        }
        for mark, names in lists.items()
    }


def genders() -> dict[str, str]:
    told: dict[str, str] = {}
    for country in COUNTRIES:
        provider = importlib.import_module(f"faker.providers.person.{country}").Provider
        female, male = (
            set(map(plain_word, names)) for names in (provider.first_names_female, provider.first_names_male)
        )
        for name in (female | male) - told.keys():
            told[name] = "b" if name in female and name in male else "f" if name in female else "m"
    return told


def main() -> None:
    rows = [
        f"{mark},{name},{share!r}" for mark, names in lists_of_the_us().items() for name, share in sorted(names.items())
    ]
    (NAMES / "surrogate_names.csv").write_bytes("\n".join(("list,name,share", *rows, "")).encode())
    lines = [f"{gender}{name}" for name, gender in sorted(genders().items())]
    (NAMES / "given_genders.txt").write_bytes("\n".join((*lines, "")).encode())


if __name__ == "__main__":
    main()
