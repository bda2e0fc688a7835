"""Titles before names, in lower case.

For detectors, replacers and features. Criteria have lists of their own: a judge that took its words from here would
miss what the detectors miss. Patterns of single rules name titles in the cases that the rule is about.
"""

from __future__ import annotations

from sharewell.notes.engine.word_lists import listed

TITLES = listed("dr mr mrs ms miss prof")
"""Those of everybody; rules add ranks, callings and courtesies that they need."""
