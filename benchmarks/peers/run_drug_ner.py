"""Run by the Python that knows drug-named-entity-recognition: the drugs it finds."""

import json
import re
import sys
import time
from pathlib import Path

from drug_named_entity_recognition.drugs_finder import find_drugs

question = json.loads(sys.argv[1])
texts = json.loads(Path(question["file"]).read_text(encoding="utf-8"))
spans = []
began = time.process_time()
for text in texts:
    places = [match.span() for match in re.finditer(r"\w+(?:-\w+)*|[^\w\s]", text)]
    words = [text[start:end] for start, end in places]
    found = find_drugs(words, is_ignore_case=True)
    spans.append([(places[first][0], places[last - 1][1], "DRUG") for _, first, last in found])
print(json.dumps({"seconds": time.process_time() - began, "spans": spans}))
