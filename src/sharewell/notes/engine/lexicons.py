"""Lists of words and names, loaded once when asked for: names of people, words of English and of the clinic, eponyms.

Everything is in lower case and without accents; look a word up as `plain(word.lower())`. A word in a list of names is
weak evidence: Brown, Rose and Hunt are words, Parkinson is a disease. Where a name is in no list, its letters still
tell: `nameness` adds how much more often each three letters in a row stand in names than in words.
"""

from __future__ import annotations

from functools import cache

from sharewell.io.shipped import shipped_rows, shipped_text
from sharewell.notes.engine.given_names import MORE_GIVEN

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
    abbe achard adamkiewicz addison adie albers albright alport alstrom amsler amyand anderson apert apgar arnold
    asherman
    ashman auer auspitz austin baastrup babcock baker bakri balint ballard balthazar bamberger bancroft barr barraquer
    barre barrett barthel bartholin bartter basedow batten beau becker beckwith behcet behr bence benedikt berg berger
    bernoulli bezold biermer bigelow binet biot bishop blalock bland blumer boas boerhaave bohler borg bowen bowman
    brandt braun braxton brenner brinkman broca brodie brown browder brudzinski brugada brunner buckberg budd buerger
    bugbee burkitt burow caplan caroli carpenter cavendish chagas charcot charles charlson cheyne chiari chvostek
    cochrane coats codman cogan colles collins conn cooley coombs cooper courvoisier cowden cowper cox crigler crohn
    cullen cushing dandy danforth darier darwin dawson denver dercum devic dietl dix donovan doppler down dressler
    dubin duchenne duffy duke dukes duncan duroziez eagle eaton ebstein eckert edwards ehlers eisenmenger ellis
    epley erb ewing fabry fagerstrom fallopian fallot fanconi fazekas felty ferguson fick finkelstein fitz fogarty
    fordyce
    fournier fowler fraumeni freiberg frenzel frey friedlander friedreich froment fuchs fugl gaffney galeati gamgee
    gardner gaucher gerstmann giemsa gilbert gilles goldmann golgi goodpasture goodwin gottron gower gowers gram graves
    grey grover guillain guyon haglund hallpike hallux hampton harada harris hashimoto hawkins hawthorne heberden
    hegar heimlich heineke heinz heller henle henoch hering herring hess hicks higoumenakis hill hippel hirsch
    hirschberg hoffa hoffman hoffmann holmes holter homan homans horner horton howell huet hunt hunter huntington
    hurler hurley hutchinson ishihara ivor jacksonian jadad jaeger jamar janeway janus jarisch jolly jones kallmann
    kaplan kaposi kartagener kayser kearns kegel kehr kell kellgren kelvin kerley kernig kienbock killip kimmelstiel
    kleihauer klebsiella kleine klinefelter kocher koch kohler koplik korsakoff krukenberg kubler kussmaul lachman
    laennec
    lambert lambl lance langer langerhans larson laseque lasegue lawrence leber legionella leiden leishman lemierre
    lennox lesch leser lesegue lewis lewy leydig lhermitte liddle light likert lister listeria little loeffler lofgren
    ludwig lund lyme lynch macewen mahurkar maisonneuve mallory mann marfan marjolin masaoka maudsley may mcburney
    mcdonald
    mcgill mcmurray mcroberts mees meibomian meier meige meigs mendel mendelson meniere menkes meyer milroy mohs mondor
    monro montgomery moro morisky morton muehrcke muir munchausen murphy nelson neer nissen noonan nutcracker ogilvie
    oppenheimer osgood osler oxford pancoast panner papanicolaou parkes parkinson parry passy paul payr pelger pemberton
    perkins perls peutz peyronie phalen pick pierre plummer poirier pompe popeye potain potts prader prehn prinzmetal
    proctor purkinje purtscher queckenstedt quervain ramstedt rankin ranson raynaud reed reinke reiter rendu rett rey
    reye
    reynolds riedel rinne robertson robin romano romberg rorschach ross roth rotor rouleaux roux rovsing roussy runyon
    sabouraud salter sandhoff sauve scarpa schatzki scheie scheuermann schiller schilling schirmer schmorl schober
    schonlein schwann schwartz sertoli sever sezary sheehan shy simmonds sims sistrunk sjogren skene sklar smithwick
    snellen spurling starr steele steinert stensen sternberg stevens stewart stokes strachan strauss sturge sudeck
    sydenham syme tanner tarlov tay terry thompson tietze tinel todd tourette traube treacher treitz trelat
    trendelenburg
    trevor trommer turcot turner tzanck uhthoff ullrich valsalva vater vincent volkmann waardenburg waldenstrom waldeyer
    wallenberg ward warthin waterhouse watson weber wegener weil weiss wells werdnig wermer werner wernicke westermark
    sokolow myerson hertel modic ghon shohl herxheimer calot wertheim mirizzi bouveret lanz pfannenstiel bankart
    latarjet ponseti lapidus stener tillaux
    addenbrooke ahlback alcian aldrete amplatz apfel arlet asberg aschoff balke banff baux baveno betke betz bhutani
    bielschowsky bismuth bobath bonferroni brackmann bragard braunwald brunnstrom busacca cantlie caprini capurro
    carhart carpentier chopart clavien cognard couinaud councilman couvelaire cowdry cozen cronbach crutchfield
    cusco czerny danis daroff daugirdas deauville dindo disse dohle donath doyen drance dubowitz durie durkan
    eichhoff elschnig farnsworth ferriman ficat finnegan finochietto fleischer frisby fukuda gallavardin gallwey
    gieson gigli gilliard gomori greulich grocott gustilo haab haenszel haggitt halmagyi halstead hamman haultain
    hendrich hestia hirano hohmann hollenhorst hosmer hounsfield jobson judet karnofsky karvonen kelling khorana
    kielland koebner koeppe kraske krimsky kruskal kudo kupffer kupperman laerdal lafora lancefield landsteiner
    langenbeck langhans lansky laslett lauge lawton leiter lembert lemeshow lemmel lempert lequesne leveen levey
    lieberkuhn lotheissen lowenstein lugano lysholm macconkey maddox magerl malecot mantel mantoux mapleson mcevedy
    medsger mentzer meyerding mulder munson murley musset naegele neelsen negri nelaton nikolsky nurick ommaya
    osborn outerbridge paneth panton papile pappenheimer parkland pereyra petri peyer pezzer pfirrmann pinard
    pirogoff putti quintero ranawat reitan remuzzi riker ritgen rockwood rodnan rokitansky romanowsky rouviere
    rumack rutgeerts salus sampaolesi sarnat savary scarff scheltens schwabach schwalbe seidel seldinger semmes
    semont sgarbossa shirodkar spaeth spearman spetzler spigelman stamey steinbrocker stenger strasberg sugiura
    swyer tardieu tegner teichholz tenckhoff thurstone tiemann titmus todani torkildsen touton tromner truelove
    tscherne unterberger venturi vinke wachtel wagener wartenberg wassermann waterlow wechsler wellens westgard
    wilcoxon wiltse yergason yocum zarit zavanelli zubrod
    schultze jaccoud zitelli eschmann loeys dietz reddick westley libman dawes
    wharton wickham widal wilms wilson winkler wirsung wolff wong wood woods wright yates zenker ziehl zollinger zung
"""
"""Further names of instruments, signs, classifications and devices, from general knowledge."""


@cache
def people() -> dict[str, str]:
    """Name → g given, s surname, b both; in capitals if frequent in the US."""
    found = {line[1:]: line[0] for line in shipped_text("names/people.txt.gz").splitlines()}
    known = words()
    for name in MORE_GIVEN:
        if name not in known:  # a word stays as doubtful as it was
            found[name] = "B" if found.get(name, "g") in "sSbB" else "G"
        elif known[name] == "4":
            found.setdefault(name, "g")
    return found


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
    return sum([table.get(framed[at : at + 3], 0) for at in range(len(framed) - 2)])


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
def eponym_words() -> frozenset[str]:
    return frozenset(eponyms())


@cache
def eponym_phrases() -> tuple[tuple[str, str], ...]:
    """(eponym, phrase) as the list writes them, in lower case."""
    return tuple((row["eponym"].lower(), row["phrase"].lower()) for row in shipped_rows("names/medical_eponyms.csv.gz"))
