"""The grammar of doses: NUMBER [range] UNIT [per weight] [per time] [route] [frequency], as one pattern."""

from __future__ import annotations

import re

ONES = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
)
NUMBER = (
    r"(?:(?:\d{1,3}(?:,\d{3})+|\d+,\d{1,2}(?!\d)|\d+)(?:[.·]\d+)?(?:[ -]\d/\d|[½¼¾⅓⅔])?|\.\d+|[½¼¾⅓⅔]"
    rf"|(?:{ONES})(?:[ -](?:{ONES}))?(?: hundred| thousand)?(?: and a (?:half|quarter)| and one half"
    rf"| point (?:{ONES}))?"
    r"|(?:a |one )?(?:half|quarter|third)(?: of)?(?: an?| the)?|(?:a|one) (?:hundred|thousand|couple(?: of)?)"
    r"|a couple(?: of)?|(?:a )?(?:dozen|half dozen|few))"
)
FRACTION = rf"(?:\d/\d{{1,2}}|{NUMBER})"
MASS = (
    r"m(?:illi|ili|icro)gram(?:me)?s?|nanogram(?:me)?s?|gramm?es?|mgm?s?|mg's|mcg'?s?|microg|ugs?|[µμ]gs?|gms?"
    r"|gr?ams?|g|ng|micro?g?s?"
    r"|mics?|mikes|ppm|mega ?units?|mu/ml|pe(?= |$|[,.;])|mg ?pe|milli ?equivalents?|m ?eq'?s?|"
    r"(?:milli)?moles?|mmols?|(?:million |international |thousand |k )?units?|million iu|iu|mu|u|grains?"
)
VOLUME = (
    r"m(?:illi)?l(?:iters?|itres?)|mls?|cc'?s?|lit(?:er|re)s?|l|teaspoons?(?:fuls?)?|tsps?"
    r"|tablespoons?(?:fuls?)?|tbsps?|ounces?|oz"
)
FORM = (
    r"(?:extra |more |whole |full )?(?:tab(?:let)?s?|cap(?:sule|let)?s?|pills?|puffs?|amp(?:ule|oule"
    r"|ul)?s?|vials?|gtts?|drops?|sprays?|patch(?:es)?|"
    r"supp?ositor(?:y|ies)|lozenges?|troches?|nebs?|nebuli[sz]ers?|neb treatments?|syringes?(?:ful)?"
    r"|packets?|sachets?|capfuls?|inhalations?|bags?|squirts?|boluses|films?|strips?|wafers?|ampoules?|actuations?"
    r"|pens?|sticks?|applications?"
    r"|spoonfuls?|scoops?|carpules?|gumm(?:y|ies)|applicator(?:ful)?s?|cartridges?(?= of)|dropperfuls?|pipettes?"
    r"|ampuls?|prefilled syringes?|pumps?(?= of)|clicks?|pessar(?:y|ies)|minibags?|polyfusors?|minijets?"
    r"|tubes?(?= of))"
)
INCH = r"(?:inch(?:es)?|in|\")(?= (?:of )?(?:nitro|ntg))"
WEIGHT = r"kg|kilo(?:gram)?s?|m2|m²|m\^2|lb|dose|%"
TIME = r"(?:\d{1,2} ?)?(?:hours?|hrs?|hr|h|minutes?|mins?|m|days?|d|h(?:ou)?rs?|weeks?|wk)|seconds?|secs?|s"
CARRIER = (
    r"(?:\d+ ?)?(?:mls?|cc|tab(?:let)?|puff|actuation|spray|patch|bag|vial|amp|cap(?:sule)?|teaspoon|tsp"
    r"|l(?= bag)|liter(?= bag))"
)
PER = rf"(?: ?(?:/|\bper\b|\ban?\b(?= (?:hour|minute|kilo))) ?(?:{WEIGHT}|{TIME}|{CARRIER})(?![\w])){{0,3}}"
PER = rf"{PER}(?: ?(?:in|of) ?\d{{1,4}}(?: ?(?:mls?|cc)\b|%))?"
ROUTE = (
    r"(?:ivpb|ivp|iv(?: push| bolus| piggyback| drip)?|i\.v\.|im|i\.m\.|p\.?o\.?|sq|subq"
    r"|subcut(?:aneous(?:ly)?)?|s\.?c\.?|s/c|sl|buccal|pv|sublingual(?:ly)?|pr|per rectum|ngt?|"
    r"(?:via|per|by) (?:mouth|rectum|peg|ngt?|ng tube|neb(?:ulizer)?|iv|pump|gtube|g-tube|ett?)|orally"
    r"|intravenous(?:ly)?|intramuscular(?:ly)?|topical(?:ly)?|inhaled|intrathecal(?:ly)?|transdermal)"
)
OFTEN = (
    r"(?:q ?\d{1,2}(?: ?- ?\d{1,2})? ?(?:h(?:ou)?rs?|h|min(?:utes)?|m|d)?|q ?(?:d|day|hs|am|pm|h|hr|hour"
    r"|od|shift|week|wk|mwf|ac)|q\.d\.|b\.?i\.?d\.?|t\.?i\.?d\.?|q\.?i\.?d\.?|b\.?d\.?|t\.?d\.?s\.?|q\.?d\.?s\.?"
    r"|nocte|mane|om|on(?=[,.;]|$)|od|hs|ac|prn|stat|daily"
    r"|nightly|weekly|monthly|"
    rf"(?:once|twice|(?:\d|{ONES}) times|x ?\d)(?: (?:a|per|each|every) (?:day|week|night)| daily| weekly"
    r"| nightly)?|(?:a|per|each|every) (?:day|night|morning|evening|week)|"
    rf"every (?:other day|(?:\d{{1,2}}|{ONES})(?: ?(?:-|to) ?\d{{1,2}})? ?(?:hours?|hrs?|h|days?|minutes?"
    r"|min|weeks?))|(?:in the|every) (?:morning|evening)|at (?:bedtime|night)|as needed"
    r"|over \d+ (?:minutes?|mins?|hours?|hrs?))"
)
TAIL = rf"(?:,? ?\(?(?<![a-z0-9])(?:{ROUTE}|{OFTEN}|{FRACTION} (?:{FORM}))\)?(?![\w])){{0,4}}"
TO = r" ?(?:-|–|—|to|or|and|/|->|→|then|up to|down to) ?"
UNIT = rf"(?:(?P<mass>{MASS})|(?P<volume>{VOLUME})|(?P<form>{FORM})|(?P<inch>{INCH}))"
DOSE = re.compile(
    r"(?:(?<![\w.,:/$#])"
    rf"|(?<=[a-z]{{4}})(?=\d)|(?<=(?:mg|cg|ts|ml"
    rf"| g)/))(?P<number>{FRACTION}(?:{TO}{FRACTION}){{0,3}})[ -]{{0,2}}{UNIT}(?![\w]|-(?:old"
    rf"|year)|/(?!{WEIGHT}|{TIME}|{CARRIER}|\d))"
    rf"(?P<per>{PER})(?:{TO}{FRACTION}[ -]?(?:{MASS}|{VOLUME}|{FORM})(?![\w/]){PER})?{TAIL}"
    r"|\b(?:an?|half an?|another|(?:the )?(?:first|second|third|last|next|extra|whole)) (?P<single>amp(?:ule|oule)?"
    r"|(?P<close>grams?|milligram|vial|puff|tablet|tab|capsule|neb|spray|sachet|suppository|ampoule|unit"
    r"|drop|teaspoon|tablespoon|spoonful|dropperful|squirt|scoop|capful|applicatorful|packet|lozenge|pill|film"
    r"|gummy|wafer))\b(?: and a half)?(?! of time|-)"
)
UNIT_NEAR = re.compile(
    rf"[\d.,·/ ½¼¾⅓⅔–—→>-]{{0,64}}+(?:to|or|and|then|up|down|in|\"|a |half|quarter|third|dozen|few|{ONES}"
    rf"|{MASS}|{VOLUME}|{FORM})"
)
"""After the digits of a number: the beginning of what makes a dose of it, as a quick look."""
