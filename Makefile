# Needs Python 3.11 or newer and make; everything else is installed into .venv of this folder.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TREES ?= 10000
# Parts of the benchmarks, such as `joins structured`; all where none is named.
PARTS ?=
Q ?= Which artist did I listen to most in 2024?

.PHONY: ask test test-data lint types check attack bench fuzz setup clean

ask: .venv/ready  ## Answer a question over the demo life: make ask Q="..."
	@$(BIN)/reqap-kg demo "$(Q)" --store .demo-store

test: .venv/ready  ## Lint, type check and run every test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(BIN)/pyright
	$(BIN)/pytest -m "not shared_data" --numprocesses auto --maxprocesses 4 --dist loadfile

test-data: .venv/ready  ## Run the tests that read the development data beside the checkout; they skip without it
	$(BIN)/pytest -m shared_data --numprocesses auto --maxprocesses 4 --dist loadfile

bench: .venv/ready  ## Measure what docs/benchmarks.md reports, or PARTS of it: make bench PARTS=joins
	$(BIN)/python -m reqap_kg.bench.run $(PARTS)

fuzz: .venv/ready  ## Compare many more random trees with the reference: make fuzz TREES=10000
	$(BIN)/python tests/fuzz.py --trees $(TREES)

attack: .venv/ready  ## Run every attack of docs/security.md in full numbers (an hour at most)
	$(BIN)/pytest tests/attacks --attacks full --numprocesses auto --maxprocesses 4 --dist loadfile --durations 20

setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "reqap-kg needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	@# torch first and by version alone: which build of it (CPU, CUDA) there is depends on where it comes from.
	$(PIP) --no-deps "$$(grep -o '^torch==[^ ]*' constraints.txt)"
	$(PIP) --no-deps --require-hashes -r constraints.txt
	$(PIP) --no-build-isolation -e '.[server,dev]'
	mkdir -p .venv/typing && ln -sfn ../.. .venv/typing/reqap_kg
	touch $@

clean:
	rm -rf .venv .demo-store build dist *.egg-info
