# Two commands on a fresh machine: `make demo` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What is never imported need not be compiled, which would take half of the time.
INSTALL = $(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check --no-compile
MINUTES ?= 10
KILLS ?= 10000
SEEDS ?= 1000
# Half as many again as there are processors: many tests wait for processes of their own.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print(max(2, (os.cpu_count() or 2) * 3 // 2))')

.PHONY: demo test thorough crash agents axe adapters check docs fuzz schema models wheel bench accuracy clean
.DEFAULT_GOAL := help

help: ## Show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.base ## Watch an agent being supervised through a morning's work
	@$(BIN)/supervisor demo

test: $(VENV)/.dev ## Run the tests and every case of the taxonomy
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --supervisor

thorough: $(VENV)/.dev ## Run the tests that take too long for every time
	@SUPERVISOR_AGENTS="$${SUPERVISOR_AGENTS:-$(CURDIR)/.venv-agents/node_modules/.bin}" $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m thorough

agents: ## Install the command-line agents whose hooks `make thorough` tries, from npm
	@npm install --silent --no-save --prefix .venv-agents @anthropic-ai/claude-code@2.1.197 @openai/codex@0.169.0 @google/gemini-cli@0.61.0

axe: ## Install axe-core from npm, by which `make thorough` judges whether the console's pages are accessible
	@npm install --silent --no-save --prefix .venv-axe axe-core@4.14.1

adapters: $(VENV)/.dev ## Try the larger frameworks' adapters, each in an environment of its own (several GB)
	@$(BIN)/python -m tests.adapters

check: $(VENV)/.dev ## Lint, types, import floors, generated files, coverage of the taxonomy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache
	@$(BIN)/supervisor coverage
	@$(BIN)/supervisor docs --check

docs: $(VENV)/.base ## Write the pages of the taxonomy anew
	@$(BIN)/supervisor docs

fuzz: $(VENV)/.dev ## Look for inputs that break a parser or a loader (MINUTES=10)
	@$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

crash: $(VENV)/.dev ## Kill writers of records, and tamper with records in every way (KILLS=10000 SEEDS=1000)
	@$(BIN)/python -m tests.crash --kills $(KILLS) --seeds $(SEEDS)

schema: $(VENV)/.base ## Write the JSON Schema of a taxonomy entry
	@$(BIN)/python -c 'import json; from supervisor.catalog.failure_mode import schema; print(json.dumps(schema(), indent=2, sort_keys=True))' > taxonomy/schema.json

models: $(VENV)/.dev ## Train the classifiers anew, from checked-in recipes
	@$(BIN)/python -m benchmarks.training

wheel: $(VENV)/.dev ## Build the wheel, which carries the proof that every case has passed
	@$(BIN)/python -m build --wheel --no-isolation

bench: $(VENV)/.dev ## Measure a decision beside the bare specialists and other guards, and a start
	@$(BIN)/python -m benchmarks.latency
	@$(BIN)/python -m benchmarks.hook
	@$(BIN)/python -m benchmarks.start

accuracy: $(VENV)/.dev ## Measure what is stopped of harmful and of harmless actions, beside other guards
	@$(BIN)/python -m benchmarks.accuracy

clean: ## Remove what the above has made
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis taxonomy/manifest.json taxonomy/taxonomy.json

# Debian's python3 comes without ensurepip; pip can fill an environment from outside.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed; try make PYTHON=python3.12")'
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m venv --clear --without-pip $(VENV)

$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up $(VENV) (once)…"
	@$(INSTALL) -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up $(VENV) for tests (once)…"
	@$(INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.base
