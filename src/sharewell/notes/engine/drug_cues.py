"""The words around a drug: amounts, drips, routes and verbs that tell a drug from the word it also is."""

from __future__ import annotations

import re

_AMOUNT = (
    r"(?:\d[\d,]*(?:\.\d+)?|\.\d+|one|two|three|four|five|six|eight|ten|twenty|half|an?)"
    r"(?: ?(?:-|–|to|→|->) ?\d+(?:\.\d+)?)?[ -]?"
    r"(?:mgs?|mcgs?|ugs?|µg|μg|gms?|g|grams?|milligrams?|micrograms?|micro?gs?|ng|meqs?|mmols?|units?|iu|u|mls?|ccs?"
    r"|tabs?|tablets?|caps?|capsules?|pills?|puffs?|sprays?|amps?|ampules?|ampoules?|vials?|gtts?|drops?|liters?"
    r"|litres?|l|nebs?|runs?|riders?|sticks?|patch(?:es)?|(?=/ ?kg))(?:/(?:kg|hr?|hour|min|day|m2)){0,3}"
)
_AFTER = re.compile(
    r"[ \t]*(?:\(|,|-|:|at|@|to|was|of|dose|infusion|drip|sl|iv|po|im)?[ \t]*(?:at |@ ?)?"
    + _AMOUNT
    + r"(?![\w]|/(?:dl|l|ml)\b)|[ \t]*(?:at|@) ?\d|[ \t]*1 ?: ?\d{2}|[ \t]*\d{1,2}%"
    r"|[ \t]+\d{1,4}(?:\.\d+)? ?(?:iv|ivpb|ivp|po|im|sc|sq|bid|tid|qid|bd|tds|daily)\b"
    r"|[ \t]+(?:up|down|back)(?: to| from| by)? \d|[ \t]+(?:use|abuse|misuse|user|addiction|dependence)\b"
    r"|[ \t]+for (?:sedation|induction|intubation|rsi|paralysis|agitation|seizures?|anxiety|rate control|pressure)\b"
    r"|[ \t](?:chlo|sulf|phos|gluc)[a-z]+|[ \t]+(?:toxicity|toxic|allergy|withdrawal)\b"
    r"|[ \t-]*(?:drips?|gtts?|infusions?|bolus(?:es)?|ivpb|ivp|ivss|pca|syringes?|vials?|ampules?|ampoules?|amps?"
    r"|tablets?|tabs?|capsules?|inhalers?|nebs?|nebuli[sz]ers?|patch(?:es)?|pills?|iv|po|im|sq|subq|sc|s/c|sl"
    r"|push(?:es)?|pushe?d?|boluse?d|dose|doses|dosing|supplement(?:s|ation)?"
    r"|replacements?|repletion|riders?|runs?|overdose|prn|bd|bid|tds|tid|qds|qid|od|nocte|mane|stat|trough"
    r"|load(?:ed|ing)?|bursts?|tapers?|prophylaxis|ppx|replaced|repleted|halved|doubled|tapered|bumped|ran (?:dry"
    r"|out|in|at|too|for|through)"
    r"|running|maxed|weaning|wean|paused|off\b|held"
    r"|(?:was |were |is |been )?(?:not )?(?:given|stopped|weaned|titrated|infusing|restarted|started|hung|bolused"
    r"|discontinued|administered|d/?c'?e?d|increased|decreased|resumed|omitted|withheld|re-?dosed|due|charted|ordered"
    r"|prescribed|(?:running|infusing) at|turned (?:up|down|off)))\b"
)
_AFTER_STRONG = re.compile(
    r"[ \t]*(?:at )?(?:\d[\d,]*(?:\.\d+)?|\.\d+) ?(?:mgs?|mcgs?|micrograms?|milligrams?|ug|µg|gm?|meq|mmol|units?|iu"
    r"|tabs?|tablets?|puffs?)(?:/(?:kg|hr?|hour|min)){0,2}(?![\w]|/(?:dl|l|ml)\b)"
    r"|[ \t]*(?:drips?|gtts?|infusion|ivpb|ivp|tablets?|tabs?)\b"
)
_BEFORE = re.compile(
    r"(?:\bon|\d of|(?:two|four|five|ten|fifteen|twenty|thirty|forty|fifty|sixty|eighty|hundred) of"
    r"|\b(?:dos(?:e|es|age|ing)|bolus(?:es)?|drip|gtt|infusion|amps?|ampules?|ampoules?|tabs?|tablets?|push|bags?"
    r"|syringe|vials?|course|rate|concentration|administration|units|mg|mcg|gm?|meq|mmol|ml|cc|rx|prescription"
    r"|order|load|handful|overdose|lit(?:er|re)s?|l) (?:of|for|with)"
    r"|\b(?:given|gave|give|received|receiving|receives|administered|hung|hanging|restarted|titrat(?:e|ed|ing)"
    r"|bolus(?:ed)?(?: with)?|wean(?:ed|ing)?(?: off)?|off|iv|po|ivp|im|sent|instead of|rather than|allergic to"
    r"|allergy to|prescribed|taking|takes|taken|took|used|uses|using|tried|injects?|injected|injecting|shoots?"
    r"|shooting|snort(?:s|ed|ing)|smok(?:es|ed|ing)|abus(?:es|ed|ing)"
    r"|relapsed on|replaced|replet(?:e|ed|ing)|nebuli[sz]ed|inhaled|topical|neb"
    r"|start(?:ed|ing)?|stop(?:ped)?|held|hold|discontinued?|infus(?:ed|ing)|ordered|replaced with|repleted with"
    r"|reversed with|induced with|sedated with|paraly[sz]ed with|intubated with|loaded with|load(?:ed)?|add(?:ed)?"
    r"|switched to|changed to|converted to|drew up|drawn up|clash(?:es)? with|pushed|resumed?|prn|more|increased?"
    r"|mixed with|covered with|treated with|managed with"
    r"|(?:\d|\.\d+|\d\d+) ?(?:mgs?|mcgs?|ug|gm?|grams?|meqs?|mmol|units?|u|mls?|cc|amps?|ampules?|tabs?|l|liters?"
    r"|%)))"
    r"(?: (?:of|iv|po|the|a|an|some|his|her|their|my|more|additional|extra|first|second|another|high|low|dose|home"
    r"|both|wrong|prn|maximum|max|continuous|stat|push|usual|regular)){0,3}[ \t]+$"
)
_BEFORE_STRONG = re.compile(
    r"\b(?:(?:patient|pt) (?:is |was |had been |remained |currently )?on(?: an?)?|(?:(?:over)?dos(?:e|es"
    r"|age)|bolus|infusion|drip|gtt|mg|mcg|gm?|meq|units|concentration) of|started on(?: an?)?(?: iv)?"
    r"|maintained on|allergic to|allergy to)[ \t]+$"
)
_LAST_OF_CUES = frozenset(["on", "a", "an", "of", "iv", "to"])
_NUMBER = re.compile(
    r"[ \t]+(?:\d{1,4}(?:\.\d+)?|\.\d+)(?![\d.:%]*\d|\s?(?:%|years?|yrs?|y/?o|days?|hours?|hrs?|am\b|pm\b"
    r"|weeks?|months?|st\b|nd\b|rd\b|th\b|cm|mm\b|of \d|patients|beds?))"
)
_LEVEL = re.compile(r"[ \t]*(?:levels?|troughs?|peak|conc(?:entration)?)\b")
_VALUE = re.compile(
    r"(?:['’]s)? ?(?:levels?|lab|values?|of|was|is|=|:|were|at|came|result|from|-|\()? ?(?:back |low "
    r"|high |elevated |noted |at |of |down |up )?(?:to )?[<>~]?\d+(?:\.\d+)?"
    r"(?![\d.]| ?(?:mgs?|mcg|gm?|grams?|meqs?|mmol|units?|u|mls?|cc|amps?|tabs?|tablets?|/hr|%|iv\b|po\b|l\b"
    r"|lit(?:er|re)s?|bags?)(?!\w"
    r"|/(?:dl|l|ml)\b))|(?:['’]s)? (?:levels?|labs?|values?|deficiency|channel|intake|diet|balance"
    r"|concentration|studies)\b"
)
_GRADE = re.compile(
    r"[ \t:-]*(?:(?:class|grade|score|status|ps|physical)[ :]*)?(?:[1-6]e?|i{1,3}|iv|vi?)\b(?! ?(?:mgs?|tab|x|/|iv"
    r"|po)\b)"
)
ION = re.compile(
    r"\b(?:Mg|K|Ca|Phos)\b(?<![\d.] Mg)(?<![vV]it K)(?<!itamin K)(?=\+? (?:\d+(?:\.\d)? ?(?:g|gm|gms|grams?)"
    r"|[1-9]\d ?m(?:Eq|eq|mol)s?"
    r"|[1-9]\d (?:PO|IV|po|iv))\b(?!/))"
)
"""Magnesium, potassium and calcium by their signs, in amounts that are given and not measured."""
ION_WORDS = frozenset(["mg", "k", "ca", "phos"])
_ASIDE_BEFORE = re.compile(r"\b(?:no|after|without|needs?|needed|wants?|refused|avoid|despite|post|pre|plus)[ \t]+$")
_ASIDE_AFTER = re.compile(
    r"[ \t]*(?:[.,;:!?)]|$|\n)|[ \t]+(?:if|when|until|for|or|and|but|then|given|with|yet|today)\b"
)
_IN_CASE = re.compile(r"[ \t]+(?:if|when|once|for) [a-z]")
_VOLUME_BEFORE = re.compile(r"(?:\d{2,4}|/kg|\d ?l|lit(?:er|re)s?)(?: of)?(?: iv)? $")
_VOLUME_AFTER = re.compile(r" (?:at |@ ?)?\d{2,4}(?![\d.:/]*\d)(?! ?(?:%|years?|days?|hours?|am\b|pm\b))")
_LISTED = re.compile(r"[,;:+/][ \t]*$")
NEAR = 48


def supported(low: str, start: int, end: int) -> bool:
    """Do the words around speak of a drug?"""
    return bool(_AFTER.match(low, end) or _BEFORE.search(low, max(0, start - NEAR), start))


def aside(low: str, start: int, end: int) -> bool:
    """Is a drug named aside, without an amount: "no bicarb.", "after mag,", "…, mero if worse"?"""
    if _IN_CASE.match(low, end):
        return bool(_LISTED.search(low, max(0, start - 3), start))
    return bool(_ASIDE_AFTER.match(low, end) and _ASIDE_BEFORE.search(low, max(0, start - 12), start))


def poured(low: str, start: int, end: int) -> bool:
    """Is shorthand for a fluid beside a volume ("500 LR", "NS 1000", "30/kg of LR")?"""
    return bool(_VOLUME_AFTER.match(low, end) or _VOLUME_BEFORE.search(low, max(0, start - 12), start))


def numbered(low: str, end: int) -> bool:
    """Does a bare number or a level come next, as after shorthand for a drug ("vaso .04", "dig level")?"""
    return bool(_NUMBER.match(low, end) or _LEVEL.match(low, end))


def amount_after(low: str, end: int) -> bool:
    """Does an amount come next that leaves no doubt?"""
    return bool(_AFTER_STRONG.match(low, end))


def told_before(low: str, start: int, word: str) -> bool:
    """Do the words before leave no doubt? `word` is the last one."""
    return word in _LAST_OF_CUES and bool(_BEFORE_STRONG.search(low, max(0, start - NEAR), start))


def measured(low: str, end: int) -> bool:
    """Is a substance of the body followed by its value?"""
    return bool(_VALUE.match(low, end))


def graded(low: str, start: int, end: int) -> bool:
    """Is ASA a class of fitness for anaesthesia rather than aspirin?"""
    return low[start:end] == "asa" and bool(_GRADE.match(low, end))
