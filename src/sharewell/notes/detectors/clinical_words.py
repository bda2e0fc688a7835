"""Words of the clinic that no dictionary has and that a note writes with a capital: products, shorthand, and what is
built of Greek and Latin parts."""

from __future__ import annotations

from sharewell.io.compiled_patterns import compiled
from sharewell.notes.engine.gazetteer import places, plain
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.spans import Text, Token
from sharewell.notes.engine.word_lists import lexicon

PRODUCTS = lexicon("clinical_words_products")
"""Products that a note writes with a capital."""
PRODUCTS |= lexicon("clinical_words_products_2")
SHORTHAND = lexicon("clinical_words_shorthand")
"""Shortened words that begin a line or a field."""
TONGUES = lexicon("clinical_words_tongues")
"""Languages and peoples."""
_ENDINGS = compiled(
    r"(?:gram|graph|graphy|graphic|metry|metric|scopy|scopic|scopist|ology|ologist|ological|itis|itic|emia|aemia|emic"
    r"|osis|otic|ectomy|ostomy|otomy|plasty|pathy|pathic|penia|penic|plegia|paresis|megaly|algia|uria|rrhea|rrhoea"
    r"|rrhagia|oma|omas|genic|lysis|lytic|trophy|trophic|phasia|phagia|pnea|pnoea|cytic|cyte|cytes|philia|phobia|iasis"
    r"|esthesia|aesthesia|sthenia|tropia|opia|opsia|ulsion|centesis|pexy|desis|ation|ations|ization|ably|ally|ively"
    r"|ously|ular|ularly|oid|eal|ial|inal|oral|atal|asal|iatry|iatric|iatrics|ician|icist|ase|ated|ized|ised|osed|ided"
    r"|essed|eding|ement|ness|less|ography)$"
)
_BEGINNINGS = compiled(
    r"(?:hyper|hypo|normo|neuro|cardio|gastro|hemo|haemo|hepato|nephro|osteo|patello|peri|para|retro|intra|inter|trans"
    r"|supra|infra|sub|post|pre|poly|electro|echo|thrombo|broncho|cholangio|pneumo|cranio|spondylo|myo|musculo|micro"
    r"|macro|multi|non|anti|bi|tri|uni|extra|immuno|lympho|fibro|cyto|derma|arthro|angio|radio|chemo)[a-z]{4,}$"
)
_PASSIVE = compiled(r"[a-z]{3,}[bcdfglmnprstvz]ed$")


def clinical(text: Text, token: Token) -> bool:
    """Is a word that no list knows of the clinic, by its parts, or because it heads a field?"""
    word = plain(token.lower)
    if word in SHORTHAND or word in TONGUES:
        return True
    if word in people() or word in places():
        return False
    if text[token.end : token.end + 1] == ":" and (token.start == 0 or text[token.start - 1] in "\n\t"):
        return True
    if _ENDINGS.search(word) or _BEGINNINGS.match(word):
        return True
    return bool(_PASSIVE.match(word)) and (word[:-2] in words() or word[:-1] in words() or word[:-3] in words())
