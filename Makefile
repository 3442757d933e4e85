# Each target makes the virtual environment it needs; Python 3.11 or newer with venv is enough.
PYTHON ?= python3
BIN := .venv/bin

# Tests start the program a hundred times; do not compile it each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test format check bench pictures lock wheels

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

run: .venv/.run  ## serve Hexxagon on port 4444
	$(BIN)/platform run --game hexxagon

test: .venv/.dev  ## run all tests, on all cores
	$(BIN)/pytest -n auto --dist worksteal

format: .venv/.dev  ## format the code and apply safe lint fixes
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

check: .venv/.dev  ## check format, lint, types and imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# One after the other, for the same commit; about an hour, on an otherwise idle machine.
bench: .venv/.dev  ## measure everything, and write it into docs/performance.md
	for each in compare scaling recovery games viewers chaos soak; do \
		$(BIN)/python -m bench.$$each --write docs/performance.md || exit 1; \
	done

pictures: .venv/.dev  ## take the pictures of the page in docs/pictures/ again, with Chromium
	$(BIN)/python -m tests.browser.pictures docs/pictures

# The versions that a lab machine gets, for every Python and processor, with their hashes.
lock: | $(BIN)/pip  ## update requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
		--no-header --no-annotate --no-emit-index-url --output-file requirements.lock pyproject.toml

wheels: | $(BIN)/pip  ## collect everything for a machine without Internet in dist/
	rm -rf dist
	$(BIN)/pip download --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
		--requirement requirements.lock --dest dist
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	cp requirements.lock dist/

$(BIN)/pip:
	$(PYTHON) -m venv .venv

.venv/.run: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/.dev: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
