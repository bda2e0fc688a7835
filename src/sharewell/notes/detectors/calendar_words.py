"""Words of the calendar, as patterns in lower case."""

from __future__ import annotations

import re

from sharewell.calendar_names import MONTHS
from sharewell.notes.engine.word_lists import listed

MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?)"
)
WHOLE_MONTH = f"(?:{'|'.join(MONTHS)})"
WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
ORDINAL = (
    "(?:thirty[ -]first|thirtieth|twenty[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|twentieth"
    "|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    "|(?:thir|four|fif|six|seven|eigh|nine)teenth)"
)
_ONES = "(?:one|two|three|four|five|six|seven|eight|nine)"
_TENS = "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
_TEENS = "(?:ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)"
UNDER_HUNDRED = f"(?:{_TENS}(?:[ -]{_ONES})?|{_TEENS}|oh[ -]{_ONES}|{_ONES})"
SPOKEN_YEAR = f"(?:(?:twenty|nineteen|eighteen)[ -]{UNDER_HUNDRED}|two thousand(?: (?:and )?{UNDER_HUNDRED})?)"
YEAR = r"(?:1[89]\d\d|20\d\d)"
ANY_YEAR = r"(?:1[3489]\d\d|20\d\d|25[3-7]\d|57[0-9]\d)"
FAR_YEAR = r"(?:1[3489]\d\d|2[01]\d\d|25[3-7]\d|57[0-9]\d)"
"""Beside a day and a month in numbers; elsewhere 2130 is rather a time of day."""
"""Years of our era, of the Hijra, of the Buddhist and of the Jewish one."""
CLOCK = (
    r"(?:t\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?(?!\w)"
    r"|[t ]\d\d:\d\d:\d\d(?:\.\d+)?(?:z|[+-]\d\d:?\d\d)?(?!\w))"
)
"""A machine's time of day, which belongs to its date; what people write beside a date is no finding."""

_ABROAD = """
    januar februar märz maerz mai juni juli oktober dezember jänner feber
    janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre
    enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    januari februari maart mei augustus januarie februarie junie julie desember
    augusti maj marts
    tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta
    marraskuuta joulukuuta
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia
    ledna února března dubna května června července srpna září října listopadu prosince
    siječnja veljače ožujka travnja svibnja lipnja srpnja kolovoza rujna studenoga prosinca
    január február március április május június július augusztus szeptember október
    ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie
    ocak şubat nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık
    maret julai ogos agustus disember
    pebrero marso hunyo hulyo setyembre oktubre nobyembre disyembre
    ionawr chwefror mawrth ebrill mehefin gorffennaf awst hydref tachwedd rhagfyr
    eanáir feabhra márta aibreán bealtaine meitheamh iúil lúnasa samhain nollaig
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря
    січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня
    ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου
    muharram safar rajab shaban sha'ban ramadan ramadhan shawwal rabi-al-awwal rabi-al-thani
    rabi-ul-awwal rabi-us-sani jumada dhu-al-hijjah
    dhul-hijjah zilhijja zilhaj zulhijjah zulkaedah syawal syaaban rejab shavval
    tishri tishrei cheshvan kislev tevet shevat adar iyar sivan tammuz elul
    meskerem tikimt hidar tahsas yekatit megabit miyazya ginbot hamle nehase
    farvardin ordibehesht khordad mordad shahrivar bahman esfand
"""
ABROAD = "|".join(sorted({word.replace("-", "[ -]") for word in _ABROAD.split()}, reverse=True))
"""Months of other languages and calendars; they need a day, or a word such as "im" before them."""
ABROAD_WORDS = frozenset(re.split(r"[-']", word)[0] for word in _ABROAD.split())
SHORT_ABROAD = (
    "janv|févr|fevr|avr|juil|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|mai|out|dez|okt|mrt|mei|des|jän|maj|avg|sty"
    "|lut|kwi|cze|lip|sie|wrz|paź|lis|gru|chw|ebr|meh|gor|tach|rhag|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara|ogos|agt|mac"
)
"""Short forms of them; they need a day and a year."""

_DAY_OF = listed(
    r"""
    labou?r memorial family boxing canada australia anzac waitangi columbus veterans['’]? presidents?['’]? mlk lady
    heritage victoria bastille remembrance republic may groundhog mothers fathers saints['’]? bonfire burns freedom
    youth women['’]?s human~rights reconciliation workers['’]? democracy madaraka jamhuri mashujaa canberra
    melbourne~cup indigenous~peoples?['’]? patriots?['’]? pioneer election inauguration v-?e v-?j armistice
    father['’]?s mother['’]?s pancake poppy king['’]?s queen['’]?s st['’]?~swithin['’]?s flag citizenship constitution
    national independence guy~fawkes earth april~fools?['’]? ascension assumption leap martin~luther~king(?:~jr\.?)?
    valentines? new~year new~years valentine['’]?s new~year['’]?s christmas xmas thanksgiving
    """
)
_FEASTS = r"""
    christmas(?: eve)? | xmas(?: eve)? | thanksgiving | hall?owe['’]?en | juneteenth | epiphany | twelfth night
    hogmanay | easter(?: (?:sunday|monday|tuesday|saturday|sun|mon|tues?|sat|eve|weekend))?
    new year['’]?s?(?: eve| day)(?: morning)? | new year['’]s | nye | whitsun(?:tide)? | pentecost | michaelmas
    candlemas | martinmas | lammas | childermas | mid-?summer(?:['’]?s)?(?: eve| day| night)? | midsommar(?:afton)?
    juhannus | vappu | syttende mai | santa lucia day | diwali | deepavali | dussehra | dasara | dashain | tihar
    holi | navratri | navaratri | durga puja | ganesh chaturthi | onam | pongal | (?:makar )?sankranti | baisakhi
    vaisakhi | raksha ?bandhan | rakhi | janmashtami | karva chauth | ugadi | lohri | bihu | chhath(?: puja)?
    maha ?shivratri | shivaratri | gurpurab | guru nanak jayanti | gandhi jayanti | (?:buddha )?purnima
    vesak(?: day)? | wesak(?: day)? | losar | songkran | loy krathong | thaipusam | hari raya(?: \w+)?
    eid(?:[ -](?:al|ul|ool|el)?[ -]?\w*(?:fitr|adha|azha|milad)\w*)? | bakr[ie][ -]?eid | bayram | ramadan | ramadhan
    ramazan | ashura | arbaeen | mawlid | milad | shab-e-barat | laylat al-qadr | nowruz | norouz | navroz | newroz
    yalda | passover | pesach | hanukk?ah? | chanukah | yom kippur | rosh hashanah? | purim | sukkot | sukkos
    shavuot | shavuos | simchat torah | tisha b['’]av | lag b['’]?a?omer | tu b['’]?i?shvat | yom hashoah
    yom ha['’]?atzmaut | erev \w+ | kwanzaa | cinco de mayo | d[ií]a de (?:los )?muertos | semana santa | nochebuena
    nochevieja | navidad | las posadas | tres reyes | reyes magos | ferragosto | capodanno | pasqua | carnaval
    fasching | rosenmontag | heiligabend | silvester | karfreitag | ostern | ostersonntag | ostermontag | pfingsten
    pfingstmontag | weihnachten | fronleichnam | no[eë]l | toussaint | p[âa]ques | pentec[ôo]te
    saint[ -]jean(?:[ -]baptiste)?(?: day)? | sinterklaas | koningsdag | pasen | pinksteren | wigilia
    t[eế]t (?:holiday|festival|nguy\S+) | corpus christi | chuseok | seollal | golden week | qing ?ming
    mid-autumn(?: festival)? | dragon boat festival | double ninth | obon | shichi-go-san | coming of age day
    (?:chinese|lunar|ethiopian|persian|thai|tamil|jewish|islamic|orthodox|khmer) new year(?:['’]s)?(?: day| eve)?
    (?:orthodox|greek|coptic|russian|serbian|ukrainian|armenian|ethiopian) (?:christmas|easter) | fasika | timkat
    genna | enkutatash | meskel | matariki | naidoc week
    mardi gras
    (?:palm|mothering|easter|whit|pentecost|trinity|remembrance|super ?bowl|stir-up|advent|gaudete) sunday
    (?:easter|whit|clean|plough|pentecost|cyber) monday | (?:shrove|fat|melbourne cup|giving) tuesday
    (?:ash|spy) wed(?:s|nesday)? | (?:maundy|holy) thurs(?:day)? | (?:good|black) fri(?:day)? | holy (?:week|saturday)
    (?:early may|late may|spring|summer|august|easter|may|october|june) bank holiday(?: (?:weekend|monday))?
    bank holiday monday | (?:queen|king)['’]?s birthday(?: (?:weekend|holiday|monday))?
    (?:canada|labou?r|memorial|victoria|family) day weekend | (?:4th|fourth) of july | burns night | bonfire night
    guy fawkes(?: night)? | may day | all (?:saints|souls)['’]?(?: day)? | all hallows['’]?(?: eve| day)?
    feast of (?:the )?\w+(?: \w+)? | valentine['’]?s | bloomsday | kings?['’]? day
    (?:st|saint)\.? (?:patrick|pat|george|andrew|david|stephen|valentine|nicholas|john|lucy|martin)['’]?s?(?: day| eve)
    st\.? (?:brigid|swithin)['’]?s day
    t[eế]t | fiestas patrias | mi[eé]rcoles de ceniza | quarta-feira de cinzas | aschermittwoch | mercredi des cendres
    spring festival | lantern festival | zhongqiu(?: jie)? | star festival | day of the cross | eisteddfod week
    first (?:day |sunday )?of advent | grandparents['’]? day | day of the dead
"""


_DAYS_OF = "|".join(day.replace("~", " ") for day in sorted(_DAY_OF))
_HOLIDAYS = [feast.strip() for line in _FEASTS.strip().splitlines() for feast in line.split(" | ")]
HOLIDAY = rf"(?:{_DAYS_OF}) day(?: weekend)?|" + "|".join(sorted(_HOLIDAYS, key=len, reverse=True))
"""Holidays of many countries and faiths."""
WEEKDAY_ABROAD = (
    "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|mi[eé]rcoles|jueves|viernes|s[áa]bado|domingo"
    "|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|montag|dienstag|mittwoch|donnerstag"
    "|freitag|samstag|sonnabend|sonntag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|m[åa]ndag|tisdag"
    "|onsdag|torsdag|fredag|l[öo]rdag|s[öø]ndag|mandag|tirsdag|l[øo]rdag|(?:segunda|ter[çc]a|quarta|quinta|sexta)-feira"
    "|poniedziałek|wtorek|środa|środę|czwartek|piątek|sobota|sobotę|niedziela|niedzielę|ponedjeljak|utorak|srijeda"
    "|četvrtak|petak|subota|nedjelja|pondělí|úterý|středa|čtvrtek|pátek|neděle|pazartesi|salı|çarşamba|perşembe|cuma"
    "|isnin|selasa|rabu|khamis|jumaat|sabtu|lunes|martes|miyerkules|huwebes|biyernes"
)
"""Days of the week in other languages; they count before a date."""
HOLIDAY_WORDS = listed(
    """
    4th aschermittwoch fiestas miercoles miércoles mercredi quarta star zhongqiu eisteddfod
    advent all anzac april arbaeen armistice ascension ash ashura assumption august australia baisakhi bakr bakra
    bakri bank bastille bayram bihu black bloomsday bonfire boxing buddha burns canada canberra candlemas capodanno
    carnaval chanukah chhath childermas chinese christmas chuseok cinco citizenship clean columbus coming constitution
    corpus cyber dasara dashain day deepavali democracy dia diwali double dragon durga dussehra día early earth easter
    eid election enkutatash epiphany erev ethiopian family fasching fasika fat father fathers feast ferragosto first
    flag fourth freedom fronleichnam gandhi ganesh gaudete greek coptic russian serbian ukrainian armenian genna
    giving golden good grandparents groundhog gurpurab
    guru guy halloween halowe hallowe hanukah hanukkah hannukah hannukkah hari heiligabend heritage hogmanay holi
    holloween holy human hanukka hanuka inauguration independence indigenous islamic jamhuri janmashtami jewish
    juhannus june juneteenth karfreitag karva khmer king kings koningsdag kwanzaa labor labour lady lag lammas lantern
    las late laylat leap lohri losar loy lunar madaraka maha mahashivratri makar mardi martin martinmas mashujaa
    matariki maundy mawlid may melbourne memorial meskel michaelmas mid midsommar midsommarafton midsummer midsummers
    milad mlk mother mothering mothers naidoc national navaratri navidad navratri navroz new newroz nochebuena
    nochevieja noel norouz nowruz noël nye obon october onam orthodox ostermontag ostern ostersonntag palm pancake
    paques pasen pasqua passover patriot patriots pentecost pentecote pentecôte persian pesach pfingsten pfingstmontag
    pinksteren pioneer plough pongal poppy president presidents purim purnima pâques qing qingming queen queens raksha
    rakshabandhan rakhi ramadan ramadhan ramazan reconciliation remembrance republic reyes rosenmontag rosh saint
    saints sankranti santa semana seollal shab shavuos shavuot shichi shivaratri shrove silvester simchat sinterklaas
    songkran spring spy st stir sukkos sukkot summer super superbowl syttende tamil tet thai thaipusam thanksgiving
    tihar timkat tisha toussaint tres trinity tu twelfth tết ugadi v vaisakhi valentine valentines vappu ve vesak
    veterans victoria vj waitangi weihnachten wesak whit whitsun whitsuntide wigilia women womens workers xmas yalda
    yom youth
    """
)
"""What they begin with."""
FESTIVE_THINGS = (
    r"(?! (?:sherry|tree|cake|pudding|card|lights?|cactus|decoration|jumper|carol|present|gift|stocking|market|party"
    r"|parties"
    r"|music|sweater|cookie|dinner plate|disease|factor|bonnet|egg|bunny|lily|lilies|hymn|costume|candy|bulbs?)s?\b)"
)
"""A Christmas tree is no date."""
