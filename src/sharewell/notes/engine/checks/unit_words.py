"""Units of measurement by which the judge of published notes sees that a number is no age, year or day.

The list is its own: detectors have theirs in `engine/pattern_pieces`.

>>> sorted(unit for unit in AFTER_NUMBERS if unit.startswith("u"))
['unit', 'units']
"""

from __future__ import annotations

DOSE_UNIT = "units?|ml|mcg|mg"
"""A pattern adds what else may follow the numbers that it reads."""
AFTER_NUMBERS = frozenset(["unit", "units", "ml", "mcg", "mg", "g", "kg", "lb", "lbs", "l", "cm", "mm", "bpm"])
