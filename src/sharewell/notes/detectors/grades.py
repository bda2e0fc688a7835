"""Stages and grades of disease: "T3N1M0", "Child-Pugh B", "Hinchey III", "LI-RADS 5".

They look like postcodes, initials and names of people, and a surrogate for one would be a false finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.notes.engine.spans import SAFE, Span, Text

_TNM = re.compile(r"[cpyr]{0,2}t(?:[0-4x]|is)[a-d]?(?:\([a-z]+\))?[ ,]{0,2}n[0-3x][a-c]?(?:[ ,]{0,2}m[01x][a-c]?)?\b")
_TNM_WORDS = re.compile(r"[cpyr]{0,2}t(?:[0-4x]|is)[a-d]?(?:n[0-3x][a-c]?(?:m[01x][a-c]?)?)?$")
_SCALES = (
    r"child[- ]?(?:turcotte[- ])?pugh|hinchey|forrest|fontaine|rutherford|bosniak|killip|braden|mallampati"
    r"|garden|gustilo|anderson|salter[- ]harris|schatzker|weber|neer|mason|kellgren[- ]lawrence"
    r"|hunt[- ](?:and[- ])?hess|fisher|spetzler|tanner|breslow|clark|dukes|binet|rai|ann arbor|figo|gleason"
    r"|fuhrman|nyha|ccs|asa|ecog|who|bi-?rads|li-?rads|pi-?rads|ti-?rads|lung-?rads|los angeles|la|prague|paris"
    r"|bethesda|clavien(?:[- ]dindo)?|hoehn (?:and|&) yahr|debakey|stanford|wagner|stage|grade"
)
_GRADE = re.compile(
    rf"(?:{_SCALES})(?: (?:class|grade|stage|type|category|score|classification))?[ :]{{1,2}}"
    r"(?:(?:i{1,3}|iv|vi{0,3})[a-d]?|[a-e][1-4]?|[0-6][a-d]?)\b(?![./-]\d)"
)
_FIRST = frozenset(re.findall(r"[a-z]{2,}", _SCALES)) - {"and", "turcotte", "lawrence", "harris", "hess", "yahr"}
_CERTAINTY = 0.93


def grades(text: Text) -> Iterator[Span]:
    """What tells how far a disease has gone."""
    low, tokens = text.folded, text.tokens
    for at, word in enumerate(text.lowered):
        if word[0] not in "cpyrt" or len(word) > 9 or not _TNM_WORDS.match(word):
            continue
        if match := _TNM.match(low, tokens[at][0]):
            yield Span(*match.span(), SAFE, _CERTAINTY, "stage of a tumour")
    for match in text.cued(_GRADE, _FIRST):
        yield Span(*match.span(), SAFE, _CERTAINTY, "stage or grade")
