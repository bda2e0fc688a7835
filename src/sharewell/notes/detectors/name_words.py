"""Words around names: titles, headers, degrees, kin, verbs, and words that are no names although lists hold them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.calendar_names import MONTH_WORDS, WEEKDAYS
from sharewell.notes.detectors.clinical_words import PRODUCTS, SHORTHAND, TONGUES
from sharewell.notes.detectors.things import KITH, THINGS
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.word_lists import TITLES, listed

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
    r"[ \t]{0,4}(?::|=|\||#|\t| - |–|,(?=\s*\n))[ \t]*\n?[ \t]*(?:(?:dr|mr|mrs|ms|miss|prof)\b\.?[ ]+)?(?=[a-z])"
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
    r"\b(?P<title>drs?|doctors?|mr|mrs|ms|miss|mx|messrs|prof|professor|sir|madam|madame|rev|reverend|capt|captain"
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
DEGREE_WORDS = listed(
    """
    md m do d rn r phd ph np n pa p lpn lvn cna crna dds dmd dpm rph pharmd pharm lcsw licsw msw fnp arnp aprn dpt mpt
    pt otr ot rd cnm jr sr iii ii iv esq facs facp facc frcs frcp mbbs mbchb dnp bsn msn crnp ccc slp rrt rt psyd psy
    ccrn mph ma rdms emt pgy ms dc od lmft lpc acnp mcsp fcap frcr fracp fracs fracgp franzcp frcpc frcsc frca mrcp
    mrcgp mrcpsych mrcs mbbch mb bds mch mchd chpn wocn aemt nremt rgn rmn srn rm msc bsc mpharm bpharm dclinpsy aud otd
    facep faap facog faan facr ccrc rdn ldn lmhc lsw bcba cde cdces rcp cota pta cma rma cpht cst mha mba
    """
) | frozenset(f"{word}{number}" for word in ("pgy", "ms") for number in range(10))
"""How degrees and suffixes begin."""
ABBREVIATIONS_TOO = listed("od dc ma pt ot rt rd pa ms slp mph ii iii iv ra")
"""Degrees that are also something else."""
VERBS = listed(
    """
    began employs explained explains were spent failed wonders showed walked slept ate refuses uses used lost gave
    gives left fell drove woke remained tolerates improved reports reported states stated denies denied says said
    complains complained presents presented notes noted describes described feels felt was is has had will would
    went came comes lives lived works worked called calls agrees agreed understands tolerated underwent continues
    continued arrived returns returned requests requested asks asked wants wanted admits admitted declined refused
    ambulated verbalized verbalised remains appears appeared sounds thinks believes seems took takes tells told
    recommended ordered performed reviewed examined saw sees evaluated moved flew directed wrote sent can needs
    and's did does got texted phoned rang emailed messaged slipped tripped objects objected wishes insists insisted
    prefers preferred hates hated loves loved likes liked hopes hoped worries worried visited visits brought brings
    helps helped recited joined stayed stays sleeps eats drinks smokes smoked hugged kissed thanked apologised
    apologized confirmed confirms consented disclosed mentioned mentions remembers remembered forgot forgets knows knew
    speaks spoke writes teaches taught plays played cooks cooked drives cried cries laughed sobbed yelled shouted
    whispered replied answered hopes fears feared wept smiled nodded shrugged sang prayed vomited fainted collapsed
    changed stitched understood snores snored keeps kept should mentions covers covered cleaned runs ran
    """
)
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
NEVER = MONTH_WORDS.union(WEEKDAYS) | listed(
    """
    the a an and or but nor if then than that this these those there here he she they it we i you him her them us me
    his hers their theirs its our ours my mine your yours who whom whose which what when where why how is are was
    were be been being am has have had having do does did doing done will would shall should can could may might
    must ought not no yes none nil unknown deceased alive well at by for from in into of off on onto out over to
    under up upon with without within about above after again against all also any as because before below between
    both down during each few further just more most other own same so some such too very until while now once only
    per via re cc dob mrn ssn sex age date time phone fax tel room bed unit ward floor acct account number dr mr mrs
    ms miss md rn patient pt name signed signature attending physician provider doctor nurse hospital clinic
    department history exam plan assessment impression diagnosis medications allergies procedure admission discharge
    admitted discharged service report note summary visit chief complaint reason male female man woman boy girl
    please thank thanks dear regards sincerely hello hi good morning afternoon evening day night week month year
    today mon tue wed thu fri sat sun
    left right upper lower bilateral normal abnormal positive negative mild moderate severe acute chronic status
    post blood pressure pulse heart lung lungs chest abdomen head neck skin eyes ears nose throat general neuro
    psych cardiac see seen self family friend wife husband son daughter mother father brother sister mom dad
    grandmother grandfather uncle aunt pcp gp np pa er ed icu uk usa ct mri iv im po prn bid tid qid qd hs ac pc
    stat ok okay states english spanish french german american african asian hispanic caucasian white black indian
    chinese dictated transcribed electronically reviewed verified performed ordered read medicine surgery cardiology
    neurology oncology pediatrics radiology pathology psychiatry emergency internal primary care home health
    insurance medicare medicaid consult consultation referring referred referral requested copy copies page pages
    continued end final preliminary draft address street city state zip email employer occupation religion race
    ethnicity gender marital single married divorced widowed first last middle maiden mrn# location facility
    encounter collected received specimen accession catheter drain tube line syndrome disease sign test score scale
    criteria fracture lymphoma sarcoma christmas easter ramadan thanksgiving team office staff rehab hospice
    pharmacy lab labs pain nausea vomiting daily weekly currently however denies cont continue start stop hold give
    given take taken increase decrease follow return call go get let
    """
)
"""Words that are no name, whatever stands before them."""
NEVER |= listed(
    """
    mondays tuesdays wednesdays thursdays fridays saturdays sundays tues weds thur thurs rm nhi iban
    """
)
NEVER |= frozenset(re.findall(r"[a-z]{2,}", f"{_PERSON} {_KIN}")) | listed(
    """
    apt suite ste surgeon dtr pgy asst assistant speaker interpreter russian polish italian japanese korean
    vietnamese portuguese arabic mandarin cantonese tagalog creole haitian mexican cuban greek turkish jewish
    catholic christian muslim protestant baptist methodist lutheran mormon buddhist hindu european canadian irish
    scottish dutch swedish dominican filipino native latino latina medicine oncology dermatology urology nephrology
    gastroenterology pulmonology endocrinology rheumatology hematology orthopedics covid fahrenheit celsius family
    spouse parent relative ophthalmology gynecology obstetrics anesthesia therapy nutrition
    """
)
NAMES_TOO = listed(
    """
    white black french english german indian page ward day may june april august march week good self man small
    friend first post well short lower street church single bell head neck price wells still justice boy rush
    christian ours case cross grant major miles moody noble christmas easter monday friday asian gates sharp
    """
)
"""Words of the list above that are surnames and given names after a title or a given name."""
HONORIFICS = listed(
    """
    dona doña dra sra shri smt pani kuya lolo abuela abuelo nanny sister bishop doc judge herr frau sgt fr rev seu
    pastor
    imam father brother bro aunty auntie uncle granny tante ring add meet call let tell ask thx parents pt dear mister
    cpl corporal captain capt const constable sergeant lieutenant lt col colonel commander cmdr officer
    inspector insp superintendent supt detective det trooper tpr sheriff deputy warden marshal pilot skipper
    canon archdeacon elder preacher vicar chaplain reverend rabbi cantor mufti mullah ustaz ustadz maulana
    pandit swami lama
    judge magistrate senator councillor mayor ambassador minister president chief 
    engr engineer arch barr alhaji alhaja hajia malam mallam oga encik puan tuan cik pn datuk dato datin hajah
    sheikh sheikha dre mme mlle madame monsieur maitre seu senhor senhora señor señora senor senora
    signor signora signore dott dottoressa meneer mevrouw mijnheer mevr herr frau fraulein fru pan pani panie kyrios
    kyria gospodin gospozha hoca bay bayan khanum saheb sahib sahiba begum registrar spr sho houseman
    matron midwife nurse nurses bank agency locum infant baby twin pilgrim chère cher chers querida querido liebe lieber
    moni môre bonjour hola hallo beste dear hi hello ya
    née nee geb nata ur
    """
) - listed("bay pan barr arch elder lama pilot bank")
HONORIFICS |= KITH
"""What stands before a name in capitals and is none of it."""
MONTHS_AND_WILL = frozenset(("will", "may", "june", "april", "august"))
"""Given names that are nearly always something else."""
NEVER_ALONE = listed(
    """
    ros geta
    will may art bill mark grant chase drew pat sue rob dean hope faith joy grace rose iris ivy lily olive ruby
    pearl amber dawn summer autumn april june august chance clay cliff colt dale dusty earl forest frank gene glen
    guy hale heath jack jasper jay jean jimmy josh junior king lance lane laurel major mason max melody mercy miles
    mister page parker penny price prince ray reed rich robin rock rod rusty sandy savannah scout skip star sterling
    stone sunny terry tom trinity van wade ward west wren sage young long short brown green gray grey white black
    love best day head foot hand back cook baker bishop carter case cross fields ford fox hill hunt hunter justice
    knight lake law lord marsh moody moon park pierce pope power powers rivers rice small sharp singer stark strong
    swift tate temple waters webb weeks wells winters wise wood woods works cole bush burns bird battle bell berry
    branch bowman chambers church crane dickens english fisher flowers frost gates golden graves hardy hayes hood
    house huff john key kidney lamb little lively mace mayo mean means merit mills minor nail nurse neal noble pace
    peace poole rush sally salt savage self sexton shields spears speed stout street sumner valentine vial walls
    ware wolf worth yard china india asia georgia virginia carolina dakota jordan israel chad paris london sydney
    vienna florence madison austin dallas houston denver phoenix orlando brooklyn jackson lincoln cleveland lyme
    lactate papa mama allegra viagra yasmin alesse aviane camila errin kariva apri lucette junel ella mirena skyla
    kyleena liletta yaz celexa aleve lidia zocor vera aloe senna coco iva mi ma pa la al ed les ana ava asa ali ann
    eve ina tia una era mel cal cor fe don doc sal gus abby
    """
)
"""Names that by themselves are rather a word, a place or a laboratory value."""
NEVER_ALONE |= listed(
    """
    cath min sho lang link pan max spiro nicu asha elisa thai viet bot alexa siri fonda tina long back kara brooks raven
    ards timi anca gerd gord perl perla lima mets asia iban wais nsaid stopp lisa bess geta mech comp cal stemi
    pass port rad ref sats vent vac dex ran ten dal cam mo ola gal mag sol cor don mir dea dia sha
    """
)
"""Names that are shorthand of the clinic as well."""
NEVER_ALONE |= PRODUCTS | SHORTHAND | TONGUES | THINGS
PERSONAL = listed(
    """
    allergic due sick ill pregnant coming having asking taking getting running feeling here waiting vomiting refusing
    diabetic home better worse fine ready unable asleep awake crying hungry scared nervous anxious happy late early back
    away worried confused married divorced retired
    """
)
"""What people are, and things are not."""
DRUG_BEFORE = listed(
    """
    taking takes took taken negative positive continue continued started start restart restarted stop stopped
    prescribed dose mg tablet tablets refill increase increased decrease decreased using prn iv po generic brand
    degrees allergic allergies
    """
)
"""Words before a drug, a sign or a unit."""
MEDICAL_AFTER = listed(
    """
    sign signs test tests score scale criteria syndrome disease maneuver manoeuvre fracture catheter tube drain line
    stain speaker speaking language mg mcg ml tablet tablets capsule capsules cream gel ointment injection infusion
    drip gtt therapy inhaler spray drops patch deficiency daily bid tid qid prn po iv negative positive antibody
    antigen virus titer level levels dressing device stent valve mesh protocol protocols clamp frame frames splint
    splints spot spots complex node nodes lesion lesions bands edema oedema solution sheath guidewire type stage grade
    wave waves needle needles index map horizontal method dish guide layer silver toxin sinuses facies relaxation
    questionnaire inventory reflex phenomenon triad palsy hernia ulcer anemia anaemia fever agglutination serology titre
    pcr dna plot plots paradox equation formula forceps retractor speculum blade cannula stockings brace collar cast
    wire rod nail screw plate shunt flap graft stitch suture incision exercise exercises block cells bodies
    nodule nodules
    appearance criteria classification extenders walker scan scanner monitor pump kit bag agar assay
    """
)
"""Words after a sign, a test, a drug or a language."""


def _firsts(*alternatives: str) -> frozenset[str]:
    """Words that alternatives of patterns begin with, and their plurals."""
    found = {word.removesuffix("s") for word in re.findall(r"(?:^|\|)([^\W_]+)", "|".join(alternatives))}
    return frozenset(found | {f"{word}s" for word in found})


_HEADER_WORDS = _firsts(_PERSON, _DOING) | listed(
    """
    policy policyholder casemanager socialworker esigned cosigned full last first middle maiden legal preferred family
    given sur nick fullname lastname firstname surname nickname maidenname name names attn dear sincerely respectfully
    yours kind best regards dict trans signature sig req copies copy alias aka mother e co
    """
)
TITLE_WORDS = TITLES | listed(
    """
    drs doctor doctors mx messrs professor sir madam madame rev reverend capt captain sgt
    sergeant lieutenant lt col colonel cpl corporal trooper tpr const constable deputy dre mlle smt shri sri sardar
    fr bro dra sra pani doña kuya sheikha
    sheikh imam judge rabbi pastor monsieur senor senora señor señora herr frau mme hon
    """
)
KIN = _firsts(_KIN)
STAFF = listed("rn np pa md dr lpn cna tech crna nurse resident intern attending per pharmd rt emt")
NEAR_WORDS = _firsts(_DOING, _KIN) | listed(
    """
    discussed managed treated followed cared called paged notified informed taught given accompanied assisted
    supervised delivered operated relieved run led taken placed inserted done drawn started changed caught spoke speak
    talked met consulted conferred conversation appointment appt visit follow followup f care report handoff hand
    result results message call signed sign signout transferred consult service office patient covering cover relief
    assumed names known i this it cc bcc from to re attn dear hello hi hey thanks per via asked told contact attention
    regarding about nurse resident intern attending surgeon physician doctor therapist pt client rn np crna lpn cna
    pcp gp pa staff d dw w worker case caseworker landlord asst teacher supervisor coach boss requests saw widow
    married lives by name mr mrs ms let meet cousin relative speaking spelled esigned cosigned co e neighbor neighbour
    fiancé fiancée fiance fiancee
    """
)
NAMED_WORDS = listed(
    """
    first last full middle maiden sur nick user firstname lastname fullname middlename maidenname surname nickname
    stage real true birth pet chosen answers registered
    username name named nicknamed goes née nee aka a also formerly everyone call
    """
)
SYLLABLES = listed(
    "woo won young hee min ho jin sook ja mi soo su ah eun kyung hyun jun joon seok hwan chul sun hwa bin ling mei ming"
)
"""Second syllables of given names that are words too: Min-jun, Seo-young."""
