# Every target does its own set-up: Python and make are all a machine needs.
#   make test PYTHON=python3.13     takes another interpreter, with an environment of its own: .venv-3.13.0
#   make demo VENV=../env           chooses the environment's place

PYTHON ?= python3
ifeq ($(PYTHON),python3)
VENV ?= .venv
else ifndef VENV
VENV := .venv-$(shell $(PYTHON) -c 'import platform; print(platform.python_version())')
endif
# Worker processes of the tests; 0 runs them in one process.
JOBS ?= auto

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

.DEFAULT_GOAL := help
.PHONY: help demo index index-check test test-all test-sample oracle bench lint format format-check typecheck generate layers clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-13s %s\n", $$1, $$2 }'

demo: $(VENV)/.with-demo ## fit a damped oscillator to noisy measurements
	$(BIN)/python examples/oscillator.py

index: $(VENV)/.with-test ## write the index of operators, by which they are imported when first used
	$(BIN)/python -m tools.index

index-check: $(VENV)/.with-test ## check that the index of operators is current
	$(BIN)/python -m tools.index --check

test: index ## run the tests: without the slow ones, and on the first sample of each case
	$(PYTEST) -m "not slow and not oracle" --first-samples

test-all: index ## run all tests on all samples
	$(PYTEST) -m "not oracle"

test-sample: $(VENV)/.with-test ## run one in twenty of the slow tests, always the same ones
	$(PYTEST) -m "slow and not oracle" --one-in 20

oracle: $(VENV)/.with-test $(VENV)/.with-torch $(VENV)/.with-packages ## compare with PyTorch
	$(PYTEST) -m "oracle and not slow"

bench: $(VENV)/.with-torch $(VENV)/.with-bench ## print the table of times against the peers, and that of how costs grow
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks --growth

lint: $(VENV)/.with-test ## check style and unused code
	$(BIN)/ruff check

format: $(VENV)/.with-test ## rewrite the sources in the common format
	$(BIN)/ruff check --fix --select I
	$(BIN)/ruff format

format-check: $(VENV)/.with-test ## check the format, change nothing
	$(BIN)/ruff format --check

typecheck: $(VENV)/.with-test ## check the types
	$(BIN)/pyright --pythonpath $(BIN)/python

generate: index ## write what follows from the operator table: index, docstrings, type stubs
	$(BIN)/python -m tools.docs
	$(BIN)/python -m tools.stubs

layers: $(VENV)/.with-test ## check that layers import only from below
	$(BIN)/lint-imports

clean: ## remove the environments and every cache
	rm -rf $(VENV) .venv-* build dist .pytest_cache .ruff_cache .import_linter_cache .hypothesis oscillator.png predators.png
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp per extra: installed once, and again only when the dependencies may have changed.
$(VENV)/.with-%: pyproject.toml | $(BIN)/python
	@echo "installing adjoint with the extra '$*' into $(VENV)"
	$(PIP) --editable '.[$*]'
	@touch $@

# torch comes by a command of its own, so that nothing else's requirements bear on which build is chosen.
$(VENV)/.with-torch: | $(BIN)/python
	@echo "installing torch into $(VENV)"
	$(PIP) torch==2.13.0
	@touch $@

# Packages written for PyTorch, which are run with adjoint in its place.
$(VENV)/.with-packages: tests/as_torch/packages.txt | $(BIN)/python
	@echo "installing packages written for PyTorch into $(VENV)"
	$(PIP) --no-deps --requirement $<
	@touch $@

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
