"""Lists of words and names, loaded once when asked for: names of people, words of English and of the clinic, eponyms.

Everything is in lower case and without accents; look a word up as `plain(word.lower())`. A word in a list of names is
weak evidence: Brown, Rose and Hunt are words, Parkinson is a disease. Where a name is in no list, its letters still
tell: `nameness` adds how much more often each three letters in a row stand in names than in words.
"""

from __future__ import annotations

from functools import cache

from sharewell.io.shipped import shipped_rows, shipped_text

FREQUENT_EPONYM = 1500
"""Eponyms borne by more people than that rank are names unless the phrase says otherwise: Johnson, Wilson, Turner."""

_MORE_EPONYMS = """
    adamantiades adson aldrich allen allevyn allis altemeier apley argyle army arrow ashworth aspen austin ayre bado
    bain balfour bard barlow barton bassini bazett beck beighton bennett berg berlin bernard bethesda bickerstaff
    blackfan blake blatchford bloom blount bochdalek bookwalter borrmann bosniak boston bouchard boutonniere braden
    bradshaw breslow bristol broviac bruce bruton bryant buck calve carvallo chaddock chance chediak child clark
    cloquet cobb cockcroft conners cordis cormack corrigan coude councill deaver debakey delorme delphian denis
    diamond doose dorfman duhamel dupuytren edinburgh ender epworth evans faber feil fisher fleischner foley folstein
    fontaine forrest framingham frazier fredet freer fridericia frykman fuhrman gaenslen galeazzi gallant ganong
    garden gartland gault gelpi glanzmann glasgow gleason graham grynfeltt guedel hachinski halo hamilton hangman hare
    hartmann harvey hasson hemovac hesselbach hickman higashi hinchey hirschsprung hoehn hurthle hyde ilizarov jackson
    jamshidi jefferson jewett job jobe kangaroo kasabach kasai kelly kendrick kerrison kikuchi kimura kings kirschner
    kleffner klippel korotkoff kuntscher ladd landau lauren legg lehane leriche levine lichtenstein lille lisfranc
    littre louis lown luer macintosh maddrey madelung magill maisonneuve mallampati malone marshall mayo mcvay meckel
    merritt metzenbaum miami michigan milan miles miller milwaukee minerva mobitz monteggia montreal morgagni moro
    naughton navy norton nottingham ober ohtahara oppenheim ortolani oswestry paget panayiotopoulos paris patrick
    pavlik penfield permacath perthes petit philadelphia pilon poland pott pringle quincke quinton ramsay rathke rees
    richardson richmond richter rives robinson rockall rolandic rolando rome rongeur rosai russell rutherford
    schatzker schroetter schwachman segond senn shouldice shwachman siewert simpson smith soave soulier speed
    spigelian sprengel sprotte starling steinmann still stoppa stroop susac swan swenson tako takotsubo taylor tesio
    texas thomas thurner tinetti touhy trendelenburg trousseau tuohy unna vanderbilt veress vienna virchow waddell
    wagner warthin webster weitlaner wenckebach whipple whitacre wifi wiskott yahr young zickel
"""
"""Further names of instruments, signs, classifications and devices, from general knowledge."""


@cache
def people() -> dict[str, str]:
    """Name → g given, s surname, b both; in capitals if frequent in the US."""
    return {line[1:]: line[0] for line in shipped_text("names/people.txt.gz").splitlines()}


@cache
def words() -> dict[str, str]:
    """Word → 1 everyday, 2 common, 3 known, 4 rare, c only in titles of the classification of diseases."""
    return {line[1:]: line[0] for line in shipped_text("words.txt.gz").splitlines()}


@cache
def letters() -> dict[str, int]:
    """Three letters in a row (`^` and `$` are the ends of a word) → tenths of a bit for a name."""
    return {line[:3]: int(line[3:]) for line in shipped_text("names/letters.txt.gz").splitlines()}


def nameness(word: str) -> int:
    """Tenths of a bit by which the letters of a word speak for a name rather than for a word.

    >>> nameness("borkowski") > 100, nameness("acticoat") < -100
    (True, True)
    """
    table, framed = letters(), f"^{word}$"
    return sum(table.get(framed[at : at + 3], 0) for at in range(len(framed) - 2))


@cache
def eponyms() -> dict[str, bool]:
    """Words of medical eponyms → whether they may stand for a person by themselves, being frequent as surnames."""
    found: dict[str, bool] = {}
    several: list[str] = []
    for row in shipped_rows("names/medical_eponyms.csv.gz"):
        rank = int(row["surname_rank_2010"] or 10**6)
        frequent = rank <= (
            FREQUENT_EPONYM if row["kind"] in ("disease", "anatomy", "procedure") else FREQUENT_EPONYM // 4
        )
        if " " in row["eponym"]:
            several += row["eponym"].lower().split()
        else:
            found[row["eponym"].lower()] = found.get(row["eponym"].lower(), True) and frequent
    for word in (*several, *_MORE_EPONYMS.split()):
        found.setdefault(word, people().get(word, "").isupper() or word in words())
    return found


@cache
def eponym_phrases() -> tuple[tuple[str, str], ...]:
    """(eponym, phrase) as the list writes them, in lower case."""
    return tuple((row["eponym"].lower(), row["phrase"].lower()) for row in shipped_rows("names/medical_eponyms.csv.gz"))
