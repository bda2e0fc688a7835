# A fresh machine needs Python >= 3.11, git and make; every target sets up .venv by itself.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup demo test lint stubs bench clean

setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "sharewell needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

demo: setup
	$(BIN)/sharewell demo demo --replace

test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# After a new line in src/sharewell/registry.py: what type checkers see of each package.
stubs: setup
	$(BIN)/python tools/build_stubs.py

# make bench BENCH="peers packing --data DIR"
bench: setup
	$(BIN)/python -m benchmarks $(BENCH)

clean:
	rm -rf .venv .venv-peers demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
