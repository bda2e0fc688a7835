# A fresh machine needs Python >= 3.11, git and make; every target sets up .venv by itself.
PYTHON ?= python3
BIN := .venv/bin

# Python keeps what it compiled, even where the surroundings forbid it: else every process compiles every module anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup demo test tests test-floors test-synthetic docs lint style types stubs learned bench bench-synthetic clean postgresql chromium shells

setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sharewell needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

demo: setup
	$(BIN)/sharewell demo demo --replace

# Types are checked beside the tests: the first check of a fresh clone keeps one processor busy for a minute.
test: style postgresql chromium shells
	@$(MAKE) --no-print-directory --jobs 2 --keep-going types tests

tests: setup
	$(BIN)/python -m pytest -n 2 --dist worksteal

# Tests of the budget ledger start a server of their own, on no port; without PostgreSQL they are skipped.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
	     && RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends postgresql; } \
	|| echo "PostgreSQL is not installed, and only root can install it: its tests are skipped"

# One test asks questions on the page of the service in a real browser; without Chromium it is skipped.
chromium:
	@command -v chromium >/dev/null && command -v chromedriver >/dev/null \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
	     && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium chromium-driver; } \
	|| echo "Chromium is not installed, and only root can install it: the page is not tested in a browser"

# Completions are asked for in real shells; without them these tests are skipped.
shells:
	@{ command -v zsh && command -v fish; } >/dev/null \
	|| { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && apt-get update -qq \
	     && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends zsh fish; } \
	|| echo "zsh and fish are not installed, and only root can install them: their completions are not tested"

# Synthetic tables need jax (350 MB), which the tests do without: an environment of its own, and what it lets run.
.venv-synthetic/ready: pyproject.toml constraints.txt
	test -x .venv-synthetic/bin/python || $(PYTHON) -m venv .venv-synthetic
	.venv-synthetic/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test,synthetic]'
	touch $@

test-synthetic: .venv-synthetic/ready
	.venv-synthetic/bin/python -m pytest -v tests/queries/test_synthetic_table.py

bench-synthetic: .venv-synthetic/ready
	.venv-synthetic/bin/python -m benchmarks synthetic

# The lowest versions that pyproject.toml allows, and the newest: not part of `make test`. FLOORS="--newest 3.14"
test-floors: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv
	$(BIN)/python tools/check_floors.py $(FLOORS)

# The documentation as a site that needs no network: open build/site/index.html
docs: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	$(BIN)/python tools/build_docs.py

lint: style types

style: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

# After a new line in src/sharewell/registry.py: what type checkers see of each package.
stubs: setup
	$(BIN)/python tools/build_stubs.py

# After a change of the rules, of the features or of benchmarks/marked/tuning*: the shipped model of notes, anew.
learned: setup
	OPENBLAS_NUM_THREADS=1 $(BIN)/python tools/build_learned.py

# make bench BENCH="peers packing --data DIR"
bench: setup
	$(BIN)/python -m benchmarks $(BENCH)

clean:
	rm -rf .venv .venv-peers .venv-synthetic demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
