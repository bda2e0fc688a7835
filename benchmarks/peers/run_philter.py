"""Run by the Python that knows philter-lite: what it masks. Its tagger needs a download: capitals stand for NNP."""

import json
import sys
import time
from pathlib import Path

import nltk
import philter_lite

nltk.pos_tag = lambda words: [(w, "CD" if w.isdigit() else "NNP" if w[:1].isupper() else "NN") for w in words]
question = json.loads(sys.argv[1])
texts = json.loads(Path(question["file"]).read_text(encoding="utf-8"))
filters = philter_lite.load_filters(str(Path(philter_lite.__file__).parent / "configs" / "philter_delta.toml"))
spans = []
began = time.process_time()
for text in texts:
    include, _, tracker = philter_lite.detect_phi(text, filters)
    masked = philter_lite.transform_text_asterisk(text, include)
    spans.append([(i, i + 1, "OTHER") for i, (a, b) in enumerate(zip(text, masked, strict=True)) if a != b])
print(json.dumps({"seconds": time.process_time() - began, "spans": spans}))
