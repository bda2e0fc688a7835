"""Behaviour held fixed while the code is rearranged: what was published, found, printed and offered when last agreed.

The JSON files beside this one are the agreement. A test fails when something differs from them, and says what. If the
difference is meant, write them anew (in one process, not with -n) and commit the difference for others to read:

    python -m pytest --write-golden tests/golden tests/pipeline/test_examples.py \
        tests/reports/test_gathering_processes.py

- `public.json`: SHA-256 of every file in `public/` of each example and of the demo, under fixed keys.
- `spans.json`: what the detectors find in each collection of marked text, as one SHA-256 and counts. By default every
  fourth text is read, which takes seconds; `--every-text` reads them all.
- `help.json`: the text of `--help` of every verb. `answers.json`: keys and types of what verbs print with `--json`.
- `catalogue.json`: parameters and defaults of every algorithm. `schema.json`: the JSON Schema of a policy.

Bytes are those that the versions in `constraints.txt` make; a difference names the versions that are others.
"""
