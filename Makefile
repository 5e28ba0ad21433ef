# Two commands do everything on a machine with Python 3.11 or newer, pip and make:
#   make play    sets up and opens the table
#   make test    sets up and runs every check and every test
# `make help` lists the rest.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto

# Every test that starts a process would compile all of Python's sources again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help play test lint test-compiled test-interpreted coverage bench words schemas docs licences clean

help:
	@echo "make play              set up and open the table: in the browser, or in the terminal"
	@echo "make test              set up, then lint, types, tests compiled and interpreted"
	@echo "make lint              ruff and mypy"
	@echo "make test-compiled     the tests with kernels compiled"
	@echo "make test-interpreted  the tests of kernels with compilation off"
	@echo "make coverage          line coverage, taken with compilation off"
	@echo "make bench             speed, beside peers"
	@echo "make words             bring the catalogs of words up to date, and compile them"
	@echo "make schemas           write the JSON Schemas of the package"
	@echo "make docs              build the pages, and serve them at http://127.0.0.1:8000"
	@echo "make licences          bring the page of licences up to date"
	@echo "make clean             remove what the above made"

play: $(VENV)/.installed
	@$(BIN)/undercut play

test: lint test-compiled test-interpreted

lint: $(VENV)/.installed-for-tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	MYPY_NUM_WORKERS=$(WORKERS) $(BIN)/mypy

test-compiled: $(VENV)/.installed-for-tests $(VENV)/.browser
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

test-interpreted: $(VENV)/.installed-for-tests
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

coverage: $(VENV)/.installed-for-tests
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest --everything
	$(BIN)/python -m coverage report

bench: $(VENV)/.installed-for-tests
	$(BIN)/undercut bench

words: $(VENV)/.installed-for-tests
	$(BIN)/python tools/catalogs.py

schemas: $(VENV)/.installed-for-tests
	$(BIN)/python tools/schemas.py

docs: $(VENV)/.installed-for-docs
	$(BIN)/python tools/site_builder.py
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory build/site 8000

licences: $(VENV)/.installed-for-tests
	$(BIN)/python tools/licences.py

clean:
	rm -rf $(VENV) build dist .cache .coverage .mypy_cache .ruff_cache .hypothesis

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "undercut needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.created pyproject.toml constraints.txt
	$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

# The tests of the page need a real browser: one that is here, Debian's, or Playwright's own.
$(VENV)/.browser: $(VENV)/.installed-for-tests
	@command -v chromium || command -v google-chrome \
		|| { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq chromium > /dev/null; } \
		|| $(BIN)/python -m playwright install chromium
	@touch $@

$(VENV)/.installed-for-tests: $(VENV)/.created pyproject.toml constraints.txt
	$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-for-docs: $(VENV)/.created pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	@touch $@ $(VENV)/.installed
