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

.PHONY: help play test lint test-compiled test-interpreted fuzz coverage mutants bench words schemas docs licences lock clean

help:
	@echo "make play              set up and open the table: in the browser, or in the terminal"
	@echo "make test              set up, then lint, types, tests compiled and interpreted"
	@echo "make lint              ruff and mypy"
	@echo "make test-compiled     the tests with kernels compiled"
	@echo "make test-interpreted  the tests of kernels with compilation off"
	@echo "make fuzz MINUTES=n    feed every reader with damaged files and messages for so long"
	@echo "make coverage          line coverage, taken with compilation off"
	@echo "make mutants           plant errors, and see which of them the tests find"
	@echo "make bench             speed, beside peers"
	@echo "make words             bring the catalogs of words up to date, and compile them"
	@echo "make schemas           write the JSON Schemas of the package"
	@echo "make docs              build the pages, and serve them at http://127.0.0.1:8000"
	@echo "make licences          bring the page of licences up to date"
	@echo "make lock              write the versions and hashes of all packages, as pyproject.toml asks"
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

# Longer than in the tests, with cases of its own; READER=name and CASE=n repeat one that has failed.
MINUTES ?= 1
fuzz: $(VENV)/.installed-for-tests
	PYTHONPATH=tests:examples $(BIN)/python -m fuzz.run --minutes $(MINUTES) \
		$(if $(READER),--reader "$(READER)") $(if $(CASE),--case $(CASE))

coverage: $(VENV)/.installed-for-tests
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest --everything
	$(BIN)/python -m coverage report

mutants: $(VENV)/.installed-for-tests $(VENV)/.browser
	$(BIN)/python tools/mutants.py $(OPTIONS)

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

lock: $(VENV)/.created
	$(LOCKED)/lock.txt
	PATH=$(BIN):$$PATH $(BIN)/python tools/lock.py

clean:
	rm -rf $(VENV) build dist .cache .coverage .mypy_cache .ruff_cache .hypothesis

$(VENV)/.created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "undercut needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

# Only files whose hashes stand in requirements/ are installed, and no package's own code runs for it.
INSTALL := $(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check
LOCKED := $(INSTALL) --require-hashes --no-deps --only-binary :all: -r requirements
UNDERCUT := $(INSTALL) --no-deps --no-build-isolation -e .

$(VENV)/.installed: $(VENV)/.created pyproject.toml requirements/base.txt
	$(LOCKED)/base.txt
	$(UNDERCUT)
	@touch $@

# The tests of the page need a real browser: one that is here, Debian's, or Playwright's own.
$(VENV)/.browser: $(VENV)/.installed-for-tests
	@command -v chromium || command -v google-chrome \
		|| { test "$$(id -u)" = 0 && apt-get update -qq && apt-get install -y -qq chromium > /dev/null; } \
		|| $(BIN)/python -m playwright install chromium
	@touch $@

# torch is the one package without a hash: which build is right depends on the machine.
$(VENV)/.installed-for-tests: $(VENV)/.created pyproject.toml constraints.txt requirements/test.txt requirements/source.txt
	$(LOCKED)/test.txt
	$(INSTALL) --require-hashes --no-deps --no-build-isolation -r requirements/source.txt
	$(INSTALL) -c constraints.txt torch
	$(UNDERCUT)
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-for-docs: $(VENV)/.created pyproject.toml requirements/docs.txt
	$(LOCKED)/docs.txt
	$(UNDERCUT)
	@touch $@ $(VENV)/.installed
