# Needs Python 3.11 or newer and make; everything else is installed into .venv of this folder.
PYTHON ?= python3
BIN := .venv/bin
# No bytecode ahead of time: most of what torch and transformers bring is never imported.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# Dozens of processes start from the same sources: their bytecode is kept, whatever the shell has set.
export PYTHONDONTWRITEBYTECODE :=
TREES ?= 10000
# Parts of the benchmarks, such as `joins structured`; all where none is named.
PARTS ?=
Q ?= Which artist did I listen to most in 2024?

# What is installed, but for data.
PACKAGE := $(wildcard *.py) cli compiler config engine evaluation execution extraction mappings models ontology operators planner retrieval sources store texts web
# One process a core, up to four; tests that are left are taken over from whoever has most of them.
PYTEST := $(BIN)/pytest --numprocesses auto --maxprocesses 4 --dist worksteal

.PHONY: ask test test-all test-data lint types package-types quick-tests page-tests attack bench fuzz setup clean

ask: .venv/ready  ## Answer a question over the demo life: make ask Q="..."
	@test -d .demo-store || echo "The first time takes a minute or two: the demo life is imported, and its texts are read."
	@$(BIN)/reqap-kg demo "$(Q)" --store .demo-store

test: .venv/ready  ## What continuous integration runs: lint, types of the package, every test but the long ones, the page in a browser
	@$(MAKE) --no-print-directory lint
	@# Tests in a browser wait half of their time.
	@$(MAKE) --no-print-directory --jobs=2 package-types page-tests
	@$(MAKE) --no-print-directory quick-tests
	@# The commit that passed, where the work tree is that commit and nothing besides.
	@test -n "$$(git status --porcelain 2>&1)" || git rev-parse HEAD > .venv/passed

test-all: .venv/ready  ## Everything, before a large change: all types, every test, the development data where it is there
	@$(MAKE) --no-print-directory lint types
	$(PYTEST) --ignore tests/page
	@$(MAKE) --no-print-directory page-tests

lint: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: .venv/ready
	$(BIN)/pyright --threads 2

package-types: .venv/ready
	$(BIN)/pyright $(PACKAGE)

quick-tests: .venv/ready
	HYPOTHESIS_PROFILE=short $(PYTEST) --ignore tests/page -m "not shared_data and not long"

# By themselves: while Playwright holds a browser, nothing else in the process can run an event loop.
page-tests: .venv/ready  ## The tests of the page, in Debian's Chromium: apt-get install chromium
	@# What failed runs once more: a browser on a busy machine may be late.
	timeout --kill-after 10 900 $(PYTEST) tests/page || timeout --kill-after 10 600 $(PYTEST) tests/page --last-failed

test-data: .venv/ready  ## Run the tests that read the development data beside the checkout; they skip without it
	$(PYTEST) -m shared_data

bench: .venv/ready  ## Measure what docs/benchmarks.md reports, or PARTS of it: make bench PARTS=joins
	$(BIN)/python -m reqap_kg.bench.run $(PARTS)

fuzz: .venv/ready  ## Compare many more random trees with the reference: make fuzz TREES=10000
	$(BIN)/python tests/fuzz.py --trees $(TREES)

attack: .venv/ready  ## Run every attack of docs/security.md in full numbers (an hour at most)
	$(PYTEST) tests/attacks --attacks full --durations 20

setup: .venv/ready

services: .venv/ready  ## Run the SPARQL servers of the tests until Ctrl-C, and say their addresses: apt-get install virtuoso-opensource
	$(BIN)/python tests/remote/servers.py

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "reqap-kg needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	@# torch first and by version alone: which build of it (CPU, CUDA) there is depends on where it comes from.
	$(PIP) --no-deps "$$(grep -o '^torch==[^ ]*' constraints.txt)"
	$(PIP) --no-deps --require-hashes -r constraints.txt
	$(PIP) --no-build-isolation -e '.[server,ray,dev]'
	mkdir -p .venv/typing && ln -sfn ../.. .venv/typing/reqap_kg
	touch $@

clean:
	rm -rf .venv .demo-store build dist *.egg-info
