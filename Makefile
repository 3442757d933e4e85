# Each target makes the virtual environment it needs; Python 3.11 or newer with venv is enough.
PYTHON ?= python3
BIN := .venv/bin

# Tests start the program a hundred times: it need not be compiled each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test format check

run: .venv/.run  ## serve Hexxagon on port 4444
	$(BIN)/platform run --game hexxagon

test: .venv/.dev  ## all tests, on all cores
	$(BIN)/pytest -n auto --dist worksteal

format: .venv/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: .venv/.dev  ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

.venv/.run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/.dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
