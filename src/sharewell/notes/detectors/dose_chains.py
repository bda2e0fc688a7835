"""Doses that go on: bare numbers after a dose, with nothing between them but words that change, repeat or time it.

"10 mg then 5", "60 mg x3d, 40 x3d", "2 mg, up by 0.5 every 15 min to max 4". Whatever else stands between (a
pressure, a pain score, another drug) ends the chain, and so does what no dose is followed by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.notes.detectors.dose_grammar import OFTEN, ONES, ROUTE

NUMBER = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,5}}(?:\.\d+)?|\.\d+|(?:{ONES})(?: and a half)?)"
_SPAN = rf"{NUMBER}(?:(?: ?(?:-|–|/|→|->)| to) ?\d{{1,4}}(?:\.\d+)?)?"
_WEEKDAY = r"(?:mon|tue?s?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?"
_CLOCK = (
    r"(?:[01]\d|2[0-4])[:.]?[0-5]\d ?(?:h(?:rs?|ours)?\b)?|\d{1,2} ?(?:[ap]\.?m\b\.?|h(?:rs?|ours)\b)|noon|midnight"
)
_LENGTH = (
    r"(?:min(?:ute)?s?|hours?|hourly|hrs?|h|days?|d|weeks?|wks?|w|months?|mths?|nights?|doses?|secs?|seconds?"
    r"|/ ?(?:7|52|12))"
)
_LASTING = (
    rf"(?:for|over|after|in|within|every|each|q|x|×|the (?:next"
    rf"|first)) ?(?:another )?(?:\d{{1,3}}(?: ?[-–] ?\d{{1,3}})?"
    rf"|{ONES}) ?{_LENGTH}?(?!\w)"
)
_WORD = (
    r"(?:load(?:ed|ing)?|bolus(?:es|ed)?|given|gave|give|initial(?:ly)?|first|second|loading|doses?|drip|gtt|infusion"
    r"|infusing|running|ran|patch|tabs?|tablets?|caps?|capsules?|both|each|today|yesterday|tomorrow|tonight|overnight"
    r"|the|this|next|same|other|alternate|days?|nights?|mornings?|evenings?|am|pm|noon|lunch|breakfast|dinner|supper"
    r"|bedtime|with|meals?|food|hold|held|home|a|an|weeks?|wk|months?|hours?|hourly|minutes?|later|again|still|and"
    r"|then"
    r"|but|from|by|on|off|until|till|if|needed|required|tolerated|effect|no|without|little|some|good|minimal|partial"
    r"|response|pump|programmed|set|rate|slow|slowly|push(?:ed)?|total|to|it|was|is|so|may|can|could|will"
    r"|plan|taper(?:ed|ing)?|wean(?:ed|ing)?|titrat(?:e|ed|ing)|increments?|steps?|chewed|swallowed|stopped|restarted"
    r"|resumed|continued|continue|maintenance|breakthrough|prn|regular|demand|basal|of|via|at|in|once|"
    rf"{_WEEKDAY}(?:/{_WEEKDAY}){{0,5}})"
)
_FILL = (
    rf"(?>(?<![\w])(?:{_LASTING}|(?:at|@) ?(?:{_CLOCK})|(?:day|week|wk|dose|d) ?\d{{1,2}}(?: ?[-–] ?\d{{1,2}})?(?!\w)"
    rf"|{ROUTE}(?!\w)|{OFTEN}(?!\w)|{_WORD}(?!\w)|\d{{1,3}}(?:\.\d)?[ -]?(?:kg|kilos?)(?!\w))|[ ,;:()&+=.\"“”'’—-])"
)
_MOVED = (
    r"(?:increas(?:e|ed|ing)|decreas(?:e|ed|ing)|reduc(?:e|ed|ing)|titrat(?:e|ed|ing)|wean(?:ed|ing)?|taper(?:ed"
    r"|ing)?"
    r"|cut|drop(?:ped|ping)?|went|go|going|gone|back|raised?|lowered|halved|doubled|changed?|switched|swapped"
    r"|converted|rotated|adjusted"
    r"|escalat(?:e|ed|ing)|bump(?:ed)?|stepped|step|turned|dialled|dialed|come|came|up|down|uptitrated?"
    r"|up-titrated?|climbed|crept|brought|moved|set|put|kept|settled|maxed(?: out)?)"
)
_STRONG = (
    rf"(?:(?:{_MOVED} ){{1,3}}(?:it )?(?:slowly |further |straight )?(?:to|by|from|at"
    rf"|on)(?: a)?(?: max(?:imum)? of| max)?"
    r"|(?:and )?then(?: (?:to|at|on|only|just|up to|down to|back to|another|a further))?|another|a further|further"
    r"|followed by(?: another)?|repeat(?:ed)?(?: with| at)?|max(?:imum|imal)?(?: dose| rate)?(?: of| at|:)?"
    r"|total(?: dose| daily)?(?: of| is| was|:)?|steps? of|increments? of|(?:mis)?read as|heard as"
    r"|(?:given|gave|give|giving|got|get|gets|getting|had|received|charted|prescribed|ordered|takes?|taking|took"
    r"|needs?"
    r"|needed|requires|required|used|using|administered|running|drew up|drawn up|pushed)(?: (?:only|just|another"
    r"|about"
    r"|approx|him|her|it|me|at|as|a total of|extra|up to)){0,2}"
    r"|so|=|≈|i\.?e\.?,?|equals|equal to|equates to|making|totalling|totaling"
    r"|instead of|rather than|,? ?(?:and |but )?not|vs|versus|should (?:be|have been)|meant to be|supposed to be"
    r"|(?:now|currently|still)(?: on| at| only| down to| up to| running at)?|usual(?:ly)?|plus|→|->|-->"
    r"|(?:was|were)(?: on| at| meant to be)?|from|up to|down to|back to|on to|up|down|only|demand|basal"
    r"|load(?:ing dose)?(?:ed)?(?: with| of)?|bolus(?:es|ed)?(?: with| of)?|starting(?: at| with| from)?"
    r"|start(?:ed)?(?: at| with| on| from)|maintenance(?: of)?|continued? (?:at|on))"
)
_WEAK = r"(?:,|;|and|or|&|/|\+|, ?and|, ?or)"
_TIMED = (
    rf" ?(?:(?:{ROUTE}|{OFTEN})(?!\w)|(?:{_LASTING})|(?:at|@) ?(?:{_CLOCK})|(?:day|week|wk) ?\d|{_WEEKDAY}(?!\w)"
    r"|[ap]\.?m\b|(?:on )?(?:other|alternate|non-?dialysis|dialysis) (?:days|nights)"
    r"|at (?:lunch|noon|teatime|tea|dinner|supper|bed|breakfast)"
    r"|(?:with|before|after) (?:meals|food|breakfast|lunch|dinner|tea|supper)|(?:,|,? ?(?:and|then)) ?\d[\d.]*\)|\))"
)
CLOCK = r"(?!(?:(?<=\D\d)|(?<=\D1[0-2])) ?[ap]\.?m\b)"
"""After a number: no hour of the day comes to an end here; 40 am is no hour."""
_OPEN = (
    rf"{CLOCK}"
    r"(?! ?(?:[:%]|/(?!(?:day|d|24|hr?|hour|min|kg)\b)|\+(?!\d)|[-–] ?(?:year|day|week|hour|month)|times"
    r"|more (?:days|hours|minutes|weeks)"
    r"|(?:x|×) ?\d[\d.]* ?(?:mm|cm))|[\d,.:/-]*\d)"
)
_CLOSED = (
    rf"(?= ?(?:[,;)!?\"”/]|\.(?!\d)|[-–—](?!\d)| ?(?:→|->)|$|\n|{ROUTE}(?!\w)|{OFTEN}(?!\w)|(?:x|×) ?\d"
    r"|(?:at|then|and|or|but|for|over|if|until|till|after|when|with|before|in|on|every|by|given|pushed|once|the next"
    rf"|today|tomorrow|tonight|overnight|to|still|instead|not|per|without|total|more|because|as|this|{_WEEKDAY}|wk"
    rf"|week"
    r"|via|max|rather|while|which|was|day \d|again|now|later|went|due)\b))"
)
_NEXT = re.compile(
    rf"(?P<fill>{_FILL}{{0,28}}?)(?:(?<![\w])(?P<strong>{_STRONG}) ?(?:(?<![a-z])|(?<=[ >]))"
    rf"(?P<plain>{_SPAN}){_OPEN}{_CLOSED}|(?P<weak>{_WEAK}) ?(?P<listed>{_SPAN})(?=[, )]){_OPEN}(?={_TIMED}))"
)
_STRENGTH = re.compile(rf" of (?:the )?(?P<plain>{NUMBER})(?:s\b)?{_OPEN}(?= ?(?:[,;)!?]|\.(?!\d)|$|\n))")


_COUNTED = re.compile(r"\b(?:tab(?:let)?s?|cap(?:sule)?s?|pills?|amps?|ampoules?|vials?|patch(?:es)?|puffs?|films?)$")
_AGAINST = re.compile(r",? ?(?:and |but )?not|instead|rather|vs|versus")
_LASTED = re.compile(rf"\d ?{_LENGTH}[ ,]*$")
_OFTENEST = re.compile(r"max|up to")
_REPEATED = re.compile(rf"\b(?:{OFTEN})(?!\w)")
DOTTED = re.compile(r"(?:1\d|2[0-3])\.(?!25|50)[0-5]\d")
"""A time with a dot."""
_MANY = 12
"""No dose is more tablets than this, where their number alone tells it."""


def chained(low: str, start: int, stop: int, dose: str) -> Iterator[tuple[int, int]]:
    """Where bare numbers go on from a dose that ends at `start`, before `stop`."""
    form = bool(_COUNTED.search(dose))
    if form and (match := _STRENGTH.match(low, start, stop)):
        yield match.span("plain")
        start = match.end("plain")
    while match := _NEXT.match(low, start, stop):
        group, cue = ("plain", match["strong"]) if match["strong"] else ("listed", "")
        said = match[group]
        if _timed(said, cue) or (form and said.isdigit() and int(said) > _MANY):
            return
        if _AGAINST.match(cue) and _LASTED.search(match["fill"]):  # over 10 min, not 60
            return
        if not form and _OFTENEST.match(cue) and _few(said) and _REPEATED.search(dose + match["fill"]):
            return  # so many doses, not so much
        yield match.span(group)
        start = match.end(group)


def _few(said: str) -> bool:
    return not said[-1:].isdigit() or (said.isdigit() and int(said) <= 6)


def _timed(said: str, cue: str) -> bool:
    """Is a number a time, a year or a date, or "5/7", the days of a course?"""
    if DOTTED.fullmatch(said):
        return True
    if said.isdigit():
        clock = cue == "from" and len(said) == 4
        return clock or said[0] == "0" or (1000 <= int(said) < 2400 and int(said) % 250 > 0)
    one, slash, two = said.partition("/")
    if not (slash and one.isdigit() and two.isdigit()):
        return False
    return two in ("7", "52", "12") or (min(int(one), int(two)) <= 12 and max(int(one), int(two)) <= 31)
