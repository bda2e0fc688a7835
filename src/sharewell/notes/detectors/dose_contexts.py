"""What stands around numbers that are no doses: laboratory values, output, vital signs, diets, blood and needles."""

from __future__ import annotations

import re

LAB_UNIT = re.compile(
    r"[ ]?(?:/|per ) ?(?:dl|deciliter|l\b|lit(?:er|re)\b|mm|cu|hpf|ul|µl|100 ?ml|24|mol|cells|serving)|[ ]?(?:%"
    r"|mmhg|/\d)"
)
LAB_PER_ML = re.compile(r"(?:ng|pg|iu|u|miu|uiu|mcg|ug|µg) ?/ ?ml")
_SAID = (
    r"(?: level)?(?: (?:was|is|of|at|to|intake|down|came|back|result|noted|in|range|found|be|less|than|under|up|with"
    r"|reading|a|read|about|approx\w*|only|over|around|now|total|filled)){0,4}[ :=<>(~≈-]*$"
)
LAB_BEFORE = re.compile(
    r"\b(?:level|levels|trough|peak|random|lactate|hemoglobin|hgb|hb|creatinine|cr|bun|bilirubin"
    r"|cholesterol|ldl|hdl|triglycerides?|ferritin|tsh|psa|bnp|troponin|trop|ck|ast|alt|cea|a1c|glucose|sugar"
    r"|fsbs|fs|bg|bgl|bm|cbg|fsbg|accucheck|protein|albumin|crp|ammonia|urea|ddimer|d-dimer|fibrinogen|anion gap"
    r"|alcohol|etoh|drinks?|restr\w*|restricted to|fluids? (?:goal|limit|restriction)|goal|(?<!-)k\+?(?= ?[:=]? ?$)"
    r"|salt|diet|dietary|sodium intake|fiber|caffeine|carbs?|carbohydrates?|weigh(?:s|ed|ing|t)?"
    r"|birth ?weight|bw|wt)" + _SAID
)
OUT_BEFORE = re.compile(
    r"\b(?:ebl|blood loss|loss|lost|uop?|u/o|urine(?: output)?|output|out|voided|drained|drain|drains|residuals?|pvr"
    r"|emesis|vomit(?:ed)?|stool|bakri|balloon|cuff|neg|negative|net|positive|impella|flows?|lis|suction|ng|ngt"
    r"|chest tube"
    r"|tidal volume|vt|tv|o2|oxygen|nc|nasal cannula|aspirat(?:ed|es?)|removed|tapped|ascites|effusion|bladder scan"
    r"|effluent|blood flow|qb|qd|fvc|fev1?|co|ci|tapped|feeds? ebm|ebm|fluid"
    r"|feeds?|feeding|enteral|formula|pph|aph|leak|paracentesis|thoracentesis|reached|bottles?|lavage|washout"
    r"|prongs|aspiration of [a-z ]{2,12}, ?"
    r"|post void|made up to|ultrafiltrate|uf|hemovac|jp|evd|csf|clear|haematoma|hematoma|minute volume|mv)" + _SAID
)
OUT_AFTER = re.compile(
    r" ?-?(?:of )?(?:urine|residual|blood loss|output|removed|out\b|drained|drain|ebl|pus|ascites|fluid (?:off"
    r"|removed)"
    r"|emesis|vomit|bile|serous|sanguin\w+|haemoserous|stool|vodka|beer|wine|whisk\w+|gin\b|rum\b|cider|liquor"
    r"|alcohol"
    r"|water\b|juice|milk|coffee|tea\b|soda|cola|clot|straw|cloudy|bloody|frank|melaena|negative|positive|neg\b"
    r"|(?:tb |luer\S* |insulin )?syringe\b(?! of)|(?:paracentesis|thoracentesis|tap|bottle|flask|container)\b"
    r"|green|brown"
    r"|bilious|turbid|serosang\w*|on scan|edta|sample|drawn|lumpectomy|gram pos|nasal|nc\b|o2|oxygen|via (?:nasal"
    r"|mask|nc))"
)
VITAL_BEFORE = re.compile(
    r"\b(?:hr|heart rate|pulse|rr|resps?|resp(?:iratory)? rate|rate|bp|map|sbp|dbp|spo2|sats?|sao2|o2|fio2|temp|t|ef"
    r"|lvef"
    r"|icp|cpp|cvp|gcs|peep|ps|pain|score|bed|bay|room|age|aged|day|hct|haematocrit|humidity|tbsa|bsa|burns?|stenosis"
    r"|lad|rca|lcx|cx|lmca|prox(?:imal)?|mid|distal|ostial"
    r"|bands|neuts|polys|eos|retic\w*|compressions?|paced|pacing|pacer)" + _SAID
)
DIET_AFTER = re.compile(
    r"(?: of)?(?: of)? ?-?(?:sodium|na|salt|fat|carb\w*|protein|fiber|cholesterol|sugar|caffeine"
    r"|alcohol)\b(?! (?:chloride|bicarb\w*|phos\w*|acetate|citrate|nitroprusside|polystyrene|shots?))"
    r"|-? ?(?:mass|nodule|tumou?r|stone|infant|baby|weight|neonate|newborn|drop in|preemie|monofilament|left\b"
    r"|remaining|short\b)\b"
    r"|,? (?:no\b\.|number\b|num\b|record)"
)
GAUGES = frozenset(["14", "16", "17", "18", "19", "20", "21", "22", "23", "24", "25", "26", "27"])
LINES = re.compile(r"\b(?:lines?|cannulas?|cannulae|venflons?|access|ivs?|needles?|gauge|pivs?|jelco)\b[^.;\n]{0,24}$")
BLOOD = re.compile(
    r" ?(?:of )?(?:packed|prbcs?|rbcs?|blood|ffp|plasma|platelets?|plts?|cryo\w*|red cells|whole blood|o neg\w*"
    r"|cross-?match\w*|x-?match\w*|xm)\b"
)
OUTPUT = re.compile(
    r"\b(?:urine|output|out|uop|u/o|uo|void(?:ed|ing)?|drain(?:ed|age|ing|s)?|chest tube|ebl|blood loss"
    r"|bleed(?:ing)?|lost|emesis|vomit(?:ed)?|stool|ostomy|residuals?|aspirat(?:ed|e)|oxygen|o2"
    r"|nasal cannula|nc|tidal|tv|vt|vc|flow|balloon|"
    r"ejection|volume of|effusion|ascites|paracentesis|thoracentesis|removed|negative|positive"
    r"|concentrator|foley|gallons?|ng tube put|suctioned|water|juice|milk|coffee|soda|beer|wine|drinks?"
    r"|drinking|liquor|mitral|cyst|hematoma|fluid restriction|restricted|ventilator|fev1?|cardiac)\b"
)
GIVEN = re.compile(
    r"\b(?:bolus(?:ed)?|infus\w*|saline|ns|lr|fluids?|ivf|given|gave|drip|gtt|pump|order(?:ed)?|dos(?:e|es"
    r"|ed|age|ing)|iv|rate|running|ran|programmed|set at|push|received|administered|administer"
    r"|flush(?:ed)?|feeds?|tube feed\w*|tpn|lipids?|syringe|vial|bag|piggyback|instead of|meant|take|takes"
    r"|taking|inject\w*|epidural|pca)\b"
)
BLOOD_BEFORE = re.compile(
    r"\b(?:prbcs?|rbcs?|blood|ffp|plasma|platelets?|plts?|cryo\w*|gxm|xm|cross-?match\w*"
    r"|transfused?)[ ,:x]*$"
)
