"""Short lists of English words that several modules share, and how such a list is written in code."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of a text, as a set.

    >>> sorted(listed("of the and"))
    ['and', 'of', 'the']
    """
    return frozenset(text.split())


TITLES = listed("dr mr mrs ms miss prof")
"""Titles before names that detectors, replacers and features share; a rule adds the ranks and callings that it needs.
Criteria have lists of their own: a judge that took its words from here would miss what the detectors miss."""
STOP_WORDS = listed(
    """
    a about above after again against all almost alone along already also although always am among an and another any
    anybody anyone anything are around as at away back be became because become been before began behind being below
    between both but by came can cannot come could did do does doing done down during each either else enough even ever
    every everybody everyone everything few for from further gave get give given go goes gone got had has have having he
    her here hers herself him himself his how however i if in instead into is it its itself just keep kept least less
    let like made make many may maybe me might mine more most much must my myself near neither never next no nobody none
    nor not nothing now of off often on once one only onto or other others our ours ourselves out over own part per
    perhaps quite rather really said same saw say see seem seemed seen several shall she should since so some somebody
    someone something sometimes soon still such take taken than that the their theirs them themselves then there
    therefore these they this those though through thus to together too took toward towards under until up upon us use
    used very via was we well went were what whatever when where whether which while who whole whom whose why will with
    within without would yet you your yours yourself yourselves
    """
)
"""Words that hold English sentences together and tell nothing by themselves, in lower case."""
CONTRACTIONS = listed("s t d ll re ve m didn doesn don isn wasn weren hasn haven hadn won wouldn couldn shouldn aren")
"""Pieces of "don't" and "she'll": tokens end at the apostrophe."""
