"""English names of months and weekdays in lower case.

For whoever writes, detects and replaces dates. Criteria of notes have lists of their own: a judge that took its words
from here would miss what the detectors miss.
"""

from __future__ import annotations

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december")  # fmt: skip
SHORT_MONTHS = tuple(month[:3] for month in MONTHS)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTH_WORDS = frozenset((*MONTHS, *SHORT_MONTHS, "sept"))
"""Every way to write a month in letters."""
