"""Lists of words that read as text."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of a text, as a set.

    >>> sorted(listed("of the and"))
    ['and', 'of', 'the']
    """
    return frozenset(text.split())
