"""Postal codes, coordinates and streets in published cells, and what only looks like them."""

from __future__ import annotations

import pytest

from sharewell.hierarchy.zips import populous
from sharewell.tables.engine.checks.place_formats import exact_place, is_populated_area, populated_areas, postal_code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *(
            (text, True)
            for text in ("02139-4307", "02139 4307", "MA 02139", "Cambridge, MA 02139", "MA02139", "US-02139")
        ),
        *(
            (text, True)
            for text in ("K1A 0B1", "k1a0b1", "T2N 1N4", "SW1A 1AA", "sw1a1aa", "at M1 1AE now", "EC1A 1BB")
        ),
        *(
            (text, False)
            for text in ("T2N1M0", "E4V5M6", "L5 1st", "12345-678-90", "ZZ 02139", "E11.9", "B12", "10001 mg")
        ),
    ],
)
def test_postal_codes(text: str, code: bool) -> None:
    assert postal_code(text) is code


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        *((text, True) for text in ("42.3601, -71.0942", "42.36,-71.09", "42.3601 N, 71.0942 W", "N42.3601 W71.0942")),
        *((text, True) for text in ("48.8566, 2.3522", "-33.8688, 151.2093", "POINT(-71.09 42.36)", "42°21'36\"N")),
        *(
            (text, True)
            for text in ("12 Main Street", "221B Baker St", "Hauptstr. 5", "5 rue de Rivoli", "P.O. Box 12")
        ),
        *(
            (text, False)
            for text in ("0.812, 0.934", "-1.25, 3.5", "1.2345, 2.3456", "12.5", "22 subsequent ST elevation")
        ),
        *((text, False) for text in ("2 tablets by the road", "37.5°", "99.12, 200.5", "4 West", "3 mg per day")),
    ],
)
def test_exact_places(text: str, exact: bool) -> None:
    assert exact_place(text) is exact


def test_areas_are_those_of_the_census_as_the_mechanism_reads_it() -> None:
    assert populated_areas() == populous()
    assert is_populated_area("000")
    assert not is_populated_area("036")
