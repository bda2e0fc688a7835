"""Words of the clinic that no dictionary has and that a note writes with a capital: products, shorthand, and what is
built of Greek and Latin parts."""

from __future__ import annotations

import re

from sharewell.notes.engine.gazetteer import places, plain
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.spans import Text, Token
from sharewell.notes.engine.word_lists import listed

PRODUCTS = listed(
    """
    abthera accuchek acticoat adaptic aircast airvo allevyn allscripts ambu amplatzer android apligraf apple
    aquacel arthrex bactec bair biatain biomet bipap bovie broviac camry cerner circaid coban cobas cologuard
    corolla cortrak cpap dacron depuy dermabond dermagraft dexcom dobhoff dosett dosette draeger duoderm
    endurant entonox essure ethibond evolut facebook fitbit floseal fresenius futura gambro garmin gelfoam
    genexpert gleneagles glucometer google goretex granuflex grindr groshong heartmate heliox hemoclip hemovac
    hologic honda hoverround hugger hydrofera hyundai immulite impella implanon inadine instagram invacare
    iphone jelonet juxtalite kaltostat kangaroo kardex kerlix lego libre lifepak lifevest ligasure lofstrand
    lyft meditech medtronic mepilex mepitel mitraclip monocryl monospot netflix nexplanon nikkiso nissan
    novasure olympus omnicell omnipod onyx opsite optiflow optiview oticon ovesco paragard pentax penumbra
    permobil phonak powerport prevena prismaflex profore prolene promus pyrex pyxis quantiferon quickie resmed
    respironics rollator samsung sapien sengstaken siemens silastic silverado skype snapchat steri stryker
    suprathel surgicel synthes sysmex tahoe teflon tegaderm terumo tesio tiktok tinder tisseel toshiba toyota
    trevo uber vac vapotherm varibar vaseline velcro vicryl vitros vocera watchman whatsapp widex xeroform
    xience yankauer youtube zenith zimmer zoll zoom
    """
)
"""Products that a note writes with a capital."""
PRODUCTS |= listed(
    """
    skoda buick chevrolet chevy volvo subaru mazda kia audi bmw vauxhall renault peugeot citroen omron oncotype
    heidelberg spectralis straumann micra synthes prevalon medihoney nevro axium nuvasive intuitive coloplast
    hollister convatec ossur ottobock sunrise roho tilite altima riesling fireball
    perclose synvisc hibiscrub datix epic emis systmone mychart prisma kahoot aetna humana cigna
    """
)
SHORTHAND = listed(
    """
    meds neuro pulm resp dispo hosp acct auth cont appt appts emerg preop postop periop intraop derm ortho peds
    paeds trop trops lact fluoro gluc prealb tbili dbili bili alb circ coll instr interp tech techs plts resus
    tele pharm endo abdo neph gastro uro gyn gyne psych rehab anaes anaesth cardio vasc rheum onco heme haem
    micro immuno histo cyto preg admin prog exam reflexes subj obj vent vents trach labs imag proc proph prophy
    ppx diet nutr mobil ambul eval evals consults referr pend addl approx assoc bilat dept diff disch educ equiv
    equip freq indep init intermit maint mech meas mgmt obstr palp perc poss prev prob prox recomm rehab reqd
    secr sched sens spont surg symm temp unk utox udip ecto hemi quad para covid coags lytes chem crit retic
    ferr phos calc creat osm procal lipase tox abg vbg
    """
)
"""Shortened words that begin a line or a field."""
TONGUES = listed(
    """
    farsi punjabi afrikaans hmong amharic arabic ashkenazi sephardi urdu tamil telugu gujarati malayalam kannada
    marathi hindi bengali sinhala nepali pashto dari kurdish sorani kurmanji tigrinya oromo somali swahili
    yoruba igbo hausa zulu xhosa sotho tswana lingala kinyarwanda wolof fula twi akan maori samoan tongan
    tagalog ilocano cebuano visayan javanese khmer laotian hakka hokkien toishanese teochew mandarin uyghur
    uzbek kazakh tajik azeri armenian yiddish hebrew ladino romani welsh gaelic breton basque catalan galician
    navajo lakota cherokee inuktitut quechua nahuatl guarani kriol patois mongolian burmese rohingya
    """
)
"""Languages and peoples."""
_ENDINGS = re.compile(
    r"(?:gram|graph|graphy|graphic|metry|metric|scopy|scopic|scopist|ology|ologist|ological|itis|itic|emia|aemia|emic"
    r"|osis|otic|ectomy|ostomy|otomy|plasty|pathy|pathic|penia|penic|plegia|paresis|megaly|algia|uria|rrhea|rrhoea"
    r"|rrhagia|oma|omas|genic|lysis|lytic|trophy|trophic|phasia|phagia|pnea|pnoea|cytic|cyte|cytes|philia|phobia|iasis"
    r"|esthesia|aesthesia|sthenia|tropia|opia|opsia|ulsion|centesis|pexy|desis|ation|ations|ization|ably|ally|ively"
    r"|ously|ular|ularly|oid|eal|ial|inal|oral|atal|asal|iatry|iatric|iatrics|ician|icist|ase|ated|ized|ised|osed|ided"
    r"|essed|eding|ement|ness|less|ography)$"
)
_BEGINNINGS = re.compile(
    r"(?:hyper|hypo|normo|neuro|cardio|gastro|hemo|haemo|hepato|nephro|osteo|patello|peri|para|retro|intra|inter|trans"
    r"|supra|infra|sub|post|pre|poly|electro|echo|thrombo|broncho|cholangio|pneumo|cranio|spondylo|myo|musculo|micro"
    r"|macro|multi|non|anti|bi|tri|uni|extra|immuno|lympho|fibro|cyto|derma|arthro|angio|radio|chemo)[a-z]{4,}$"
)
_PASSIVE = re.compile(r"[a-z]{3,}[bcdfglmnprstvz]ed$")


def clinical(text: Text, token: Token) -> bool:
    """Is a word that no list knows of the clinic, by its parts, or because it heads a field?"""
    word = plain(token.lower)
    if word in SHORTHAND or word in TONGUES:
        return True
    if word in people() or word in places().marks:
        return False
    if text[token.end : token.end + 1] == ":" and (token.start == 0 or text[token.start - 1] in "\n\t"):
        return True
    if _ENDINGS.search(word) or _BEGINNINGS.match(word):
        return True
    return bool(_PASSIVE.match(word)) and (word[:-2] in words() or word[:-1] in words() or word[:-3] in words())
