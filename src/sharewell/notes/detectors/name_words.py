"""Words around names: titles, headers, degrees, kin, verbs, and words that are no names although lists hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.calendar_names import MONTH_WORDS, WEEKDAYS
from sharewell.notes.detectors.clinical_words import PRODUCTS, SHORTHAND, TONGUES
from sharewell.notes.detectors.things import KITH, THINGS
from sharewell.notes.engine.pattern_pieces import TITLE as ANY_TITLE
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.word_lists import TITLES, lexicon, listed

_START = r"(?:^|(?<=[\n\t;|(\[{>*•.])[ ]?|(?<=  )|(?<=, )|(?<=- )|(?<=\d ))"
_PERSON = (
    r"patient|pt|client|resident|member|subscriber|guarantor|insured|beneficiary|policy ?holder|physician|provider"
    r"|doctor|clinician|surgeon"
    r"|attending|fellow|intern|residents?|consultant|pcp|gp|nurse|rn|np|pa|midwife|hospitalist|cardiologist"
    r"|oncologist|radiologist|pathologist"
    r"|anesthesiologist|anaesthetist|neurologist|psychiatrist|psychologist|pediatrician|therapist|dietitian"
    r"|pharmacist|technologist|technician|tech|scribe|author"
    r"|transcriptionist|dictator|typist|signatory|interpreter|witness|cosigner|case ?manager|social ?worker"
    r"|counselor|caregiver|guardian|proxy|agent"
    r"|poa|hcp|nok|next of kin|emergency contact|contact(?: person)?"
    r"|assistants?|first assistant|staff|examiner|reviewer|preparer|recipient|sender|employee|user|operator"
    r"|performer|donor|coordinator|cm|sw|covering|on[- ]call"
)
_DOING = (
    r"dictated|signed|e-?signed|electronically signed|digitally signed|authenticated|verified|reviewed|transcribed"
    r"|typed|prepared|written|entered|recorded|documented"
    r"|ordered|performed|interpreted|read|reported|approved|attested|co-?signed|seen|examined|evaluated|referred"
    r"|requested|authorized|completed|collected|witnessed|obtained|updated|created|edited|submitted|assessed"
    r"|finalized|scribed"
)
_HEADER = re.compile(
    rf"(?:(?:{_PERSON})(?:['’]?s)?(?: of record)?(?: (?:full "
    rf"|legal )?name)?(?: ?\((?:s|name|last, first|print|relationship)\))?|(?:(?:full|last|first|middle|maiden"
    rf"|legal|preferred|family|given|sur|nick)[ -]?)?names?(?: \([a-z, ]+\))?"
    rf"|last,? ?(?:name)?,? first(?: name)?(?:,? (?:m\.?i\.?|middle))?|surname,? (?:first|fore|given)names?"
    rf"|(?:{_DOING})(?: by)?|attn|dear|sincerely|respectfully|yours truly|kind regards|best regards|regards|dict"
    rf"|trans|signature|sig|req\.? (?:physician|by)|copies? to|alias|aka|mother's maiden name)"
    rf"[ \t]{{0,4}}(?::|=|\||#|\t| - |–|,(?=\s*\n))[ \t]*\n?[ \t]*(?:(?:{ANY_TITLE})\b\.?[ ]+)?(?=[a-z])"
)
"""A word for a person or for signing, and a colon: what follows is a name."""
_FIELD = re.compile(rf"{_START}(?:[a-z][a-z.'’/-]*[ ]){{0,3}}\Z", re.MULTILINE)
"""Where a field may begin, and at most three words of its name."""


def headers(text: Text) -> Iterator[re.Match[str]]:
    """Fields whose value is a name, each up to its value."""
    low = text.folded
    for match in text.cued(_HEADER, _HEADER_WORDS):
        if _FIELD.search(low, max(0, match.start() - 70), match.start()):
            yield match


TITLE = re.compile(
    rf"\b(?P<title>{ANY_TITLE}|drs|doctors?|mx|messrs|professor|sir|madam|madame|rev|reverend|capt|captain"
    r"|sgt|sergeant|lieutenant|lt|col|colonel|cpl|corporal|trooper|tpr|const|constable|deputy|dre|mlle|smt|shri|sri"
    r"|sardar|fr|bro|dra|sra|pani|doña|kuya|sheikha"
    r"|sheikh|imam|judge|rabbi|pastor|monsieur|se[nñ]ora?|herr|frau|mme|hon)\b(?:\.|,)?[ ]+(?:(?:and"
    r"|&) (?:dr|mr|mrs|ms)\.? )?(?=[^\W\d_])"
)
"""A title before a name."""
_KIN = (
    r"wife|husband|spouse|son|daughter|dtr|dau|mother|father|mom|mum|dad|brother|sister|sib|aunt|uncle|niece"
    r"|nephew|cousin|friend|neighbor|neighbour|partner|fianc[eé]e?"
    r"|boyfriend|girlfriend|grandson|granddaughter|grandmother|grandfather|caregiver|caretaker|guardian|roommate"
    r"|stepmother|stepfather|stepson|twin|baby|aide|landlord|coworker|colleague|family|kid|child|boy|girl|carer"
    r"|keyworker|key worker|buddy|mate|ex-wife|ex-husband|ex|gran|granny|grandad"
    r"|nan|nana|papa|mama|mummy|daddy|auntie|godmother|godfather|godson|godchild|widow|widower|husband-to-be"
    r"|mother-in-law"
    r"|father-in-law|son-in-law|daughter-in-law|sister-in-law|brother-in-law|stepdaughter|half-brother|half-sister"
    r"|dependent"
    r"|beneficiary|physicist|prosthetist|orthotist|podiatrist|chiropractor|audiologist|optometrist|dentist|hygienist"
    r"|osteopath"
    r"|dietician|dietitian|physio|physiotherapist|chaplain|imam|priest|pastor|vicar|minister|manager|supervisor"
    r"|warden|matron"
    r"|midwife|doula|health visitor|registrar|houseman|locum|porter|driver|dispatch|dispatcher|trooper|waiter|scribe"
    r"|peer"
    r"|sponsor|mentor|student|classmate|tutor|principal|headteacher|secretary|receptionist|recep|coordinator|navigator"
    r"|liaison|advocate|solicitor|lawyer|attorney|caseworker|hv|district nurse|named nurse|heart failure nurse|charge"
)
NEAR = re.compile(
    rf"\b(?:(?:{_DOING}|discussed|managed|treated|followed|cared for|called|paged|notified|informed|taught|given"
    rf"|accompanied|assisted|supervised|delivered|operated|relieved|run|led|taken(?: over)?|placed|inserted|done|drawn"
    rf"|started|changed|caught)(?: [a-z]+){{0,2}}? (?:by|with|to)(?: (?:rn|np|pa|md|dr))?"
    r"|(?:spoke|speak|talked|met|consulted|conferred|conversation|appointment|appt|visit|follow[- ]?up|f/u|care"
    r"|report|handoff|hand off|results?|message|call|called|signed out|sign[- ]?out|transferred|consult|service"
    r"|office|patient|covering|cover|relief|assumed care of pt)(?: (?:with|to|from|by|of|for))"
    rf"|(?:{_KIN})(?:['’]s)?(?: name(?:d|s)?)?(?: is| was)?[,:]?|(?:names are|called|known as|i am|i'm|this is|it's"
    rf"|signed|(?:cc|bcc|from|to|re|attn):|dear|hello|hi|hey|thanks|per|via|asked|told|paged|notified|informed"
    rf"|contact|attention|regarding|about|nurse|resident|intern|attending|surgeon|physician|doctor|therapist"
    rf"|patient|pt|client|rn|np|crna|lpn|cna|pcp|gp|np|pa|staff|d/w|dw|w/|w|worker|case ?worker|landlord|asst"
    rf"|teacher|supervisor|coach|boss|requests|saw|saw by|widow of|married to|lives with|by|name"
    rf"|physician of record|mr|mrs|ms|met with|let|meet|cousin of|relative of|speaking|spelled))"
    r"[ ]*[:,(]?(?:[ ]+|\n)\(?(?=[^\W\d_])"
)
"""Words that often stand before a name, and often before others: the words after them must look like names."""
NAMED = re.compile(
    r"\b(?:(?:(?:first|last|full|middle|maiden|sur|nick|user)[ -]?)?name(?: is| was| as| will be|'s|’s)|named"
    r"|(?:stage|real|true|birth|pet|chosen) name(?: is| was)?|answers to|registered as"
    r"|nicknamed|goes by|née|nee|a\.?k\.?a\.?|also known as|formerly known as|everyone calls me|call me|(?:last"
    r"|first) name\?)(?! back\b)[ ]*[:,\"“]?[ ]*[\"“]?(?=[^\W\d_])"
)
"""Words that say that a name follows."""
DEGREES = re.compile(
    r"(?P<gap>,?[ ]+|,)(?:\(?(?:M\.?D\.?|D\.?O\.?|R\.?N\.?|Ph\.?D\.?|PHD|N\.?P\.?|P\.?A\.?(?:-C)?|LPN|LVN|CNA|CRNA"
    r"|DDS|D\.?D\.?S\.?|DMD|DPM|R\.?Ph\.?|Pharm\.?D\.?|LCSW|LICSW|MSW|FNP(?:-[A-Z]+)?|ARNP|APRN|DPT|M?PT"
    r"|OTR(?:/L)?|OT|RD|CNM|Jr\.?|Sr\.?|JR|SR|III|II|IV|Esq\.?|FACS|FACP|FACC|FRCS|FRCP|MBBS|MBChB|DNP|BSN|MSN"
    r"|CRNP|CCC-SLP|SLP|RRT|RT|PsyD|Psy\.D\.|CCRN|MPH|MA|RDMS|EMT(?:-P)?|PGY-?\d|MS-?[1-4]|DC|OD|LMFT|LPC|ACNP"
    r"|NP-C|MCSP|FCAP|FRCR|FRACP|FRACS|FRACGP|FRANZCP|FRCPC|FRCSC|FRCA|MRCP|MRCGP|MRCPsych|MRCS|MBBCh|MB ?BCh|BDS"
    r"|MChD?|CHPN|WOCN"
    r"|AEMT|NREMT(?:-P)?|RGN|RMN|SRN|RM|MSc|BSc|MPharm|BPharm|DClinPsy|AuD|OTD|FACEP|FAAP|FACOG|FAAN|FACR|CCRC|RDN"
    r"|LDN|LMHC|LSW"
    r"|BCBA|CDE|CDCES|RCP|COTA|PTA|CMA|RMA|CPhT|CST|MHA|MBA)\b\)?\.?)(?![a-z'’])"
)
"""A degree or a suffix after a name."""
DEGREE_WORDS = lexicon("name_words_degree_words") | frozenset(
    f"{word}{number}" for word in ("pgy", "ms") for number in range(10)
)
"""How degrees and suffixes begin."""
ABBREVIATIONS_TOO = listed("od dc ma pt ot rt rd pa ms slp mph ii iii iv ra")
"""Degrees that are also something else."""
VERBS = lexicon("name_words_verbs")
"""Verbs with a person before them."""
COPULAS = listed(
    """
    is was has had will would can did does were and's needs seems
    """
)
"""Verbs that things have before them as well."""
JOINT = frozenset((" ", "-", "'", "’", "ʼ"))
PARTICLES = listed(
    """
    de da do dos das del della di du la le van von der den ter ten bin binti ibn al el abu ben mac mc st san santa y
    e zu zur af av und o d l bint wa ould ap ferch ní ni nic ui viuda vda
    """
)
SUFFIXES = listed(
    """
    jr sr ii iii iv esq
    """
)
NEVER = MONTH_WORDS.union(WEEKDAYS) | lexicon("name_words_never")
"""Words that are no name, whatever stands before them."""
NEVER |= listed(
    """
    mondays tuesdays wednesdays thursdays fridays saturdays sundays tues weds thur thurs rm nhi iban
    """
)
NEVER |= frozenset(re.findall(r"[a-z]{2,}", f"{_PERSON} {_KIN}")) | lexicon("name_words_never_2")
NAMES_TOO = lexicon("name_words_names_too")
"""Words of the list above that are surnames and given names after a title or a given name."""
HONORIFICS = lexicon("name_words_honorifics") - listed("bay pan barr arch elder lama pilot bank")
HONORIFICS |= KITH
"""What stands before a name in capitals and is none of it."""
MONTHS_AND_WILL = frozenset(("will", "may", "june", "april", "august"))
"""Given names that are nearly always something else."""
NEVER_ALONE = lexicon("name_words_never_alone")
"""Names that by themselves are rather a word, a place or a laboratory value."""
NEVER_ALONE |= lexicon("name_words_never_alone_2")
"""Names that are shorthand of the clinic as well."""
NEVER_ALONE |= PRODUCTS | SHORTHAND | TONGUES | THINGS
PERSONAL = lexicon("name_words_personal")
"""What people are, and things are not."""
DRUG_BEFORE = lexicon("name_words_drug_before")
"""Words before a drug, a sign or a unit."""
MEDICAL_AFTER = lexicon("name_words_medical_after")
"""Words after a sign, a test, a drug or a language."""


def _firsts(*alternatives: str) -> frozenset[str]:
    """Words that alternatives of patterns begin with, and their plurals."""
    results = {word.removesuffix("s") for word in re.findall(r"(?:^|\|)([^\W_]+)", "|".join(alternatives))}
    return frozenset(results | {f"{word}s" for word in results})


_HEADER_WORDS = _firsts(_PERSON, _DOING) | lexicon("name_words_header_words")
TITLE_WORDS = TITLES | lexicon("name_words_title_words")
KIN = _firsts(_KIN)
STAFF = listed("rn np pa md dr lpn cna tech crna nurse resident intern attending per pharmd rt emt")
NEAR_WORDS = _firsts(_DOING, _KIN) | lexicon("name_words_near_words")
NAMED_WORDS = lexicon("name_words_named_words")
