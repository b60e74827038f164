# make demo: builds the environment and grades the sample classes. make quick: style, types and the tests that start
# no program, at each change. make test: all that CI runs.
# Of a new environment; one that exists keeps its own. `make PYTHON=...` takes another than the fastest here.
PYTHON ?= $(shell sh .ci/python)
VENV := .venv
BIN := $(VENV)/bin
# Tests start Python often; without its caches each start would compile all of our modules again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: all demo test everything quick mutants check style types pytest lowest format messages docs site pictures lock dist clean

all: $(VENV)/installed

$(VENV)/installed: pyproject.toml constraints.txt .ci/system .ci/axe
	sh .ci/system
	sh .ci/axe
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/pip install --quiet --editable ".[cluster,course,excel,parquet,dev]"
	touch $@

# Without a box too: the sample classes are our own code.
demo: all
	rm -rf build/demo
	$(BIN)/softmark grade tests/handed_in/attention --assignment attention --seed 1 --out build/demo/attention --unsafe || test $$? -eq 1
	$(BIN)/softmark grade tests/handed_in/minigpt --assignment minigpt --corpus french --seed 1 --out build/demo/minigpt --unsafe || test $$? -eq 1

# At its end it says what it cost: CPU seconds of its processes (not of boxes), and how often one could import PyTorch in these.
test: all
	$(BIN)/python -m tests.maintenance.cpu_seconds $(MAKE) --no-print-directory everything

# mypy takes one core for some seconds: the tests begin meanwhile. The nightly run audits on all draws.
everything: style
	$(MAKE) --no-print-directory -j 2 types pytest
	$(BIN)/softmark audit --quick
	$(MAKE) --no-print-directory site

# One process for each core: one more ends a little sooner, since tests wait for their boxes now and then, but imports
# PyTorch, collects and makes draws once more.
pytest: all
	$(BIN)/pytest -n $$(nproc 2>/dev/null || echo 2)

quick: check
	$(BIN)/pytest -n auto -m "not programs and not slow"

# Changes one small thing of softmark at a time, twenty by the date: does a quick test fail? Says which none sees.
mutants: all
	$(BIN)/python -m tests.maintenance.mutants

# The quick tests with the lowest versions that pyproject.toml claims, with python3.11 or `make PYTHON=... lowest`.
lowest:
	sh .ci/lowest

check: style types

style: all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: all
	$(BIN)/mypy

format: all
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The French catalogue: what is new stands in it empty, what is gone is taken out.
messages: all
	$(BIN)/python -m tests.maintenance.catalogue
	$(BIN)/python -m tests.maintenance.site.french

# What documents show of softmark: the help of every command, an example for students.
docs: all
	$(BIN)/python -m tests.maintenance.documents

# The documents as a site in both languages: build/site/index.html. A link to nothing stops it.
site: all
	$(BIN)/python -m tests.maintenance.site.build_site

# The pictures of the README and of docs/how-to/grade.md, of the pages that `make demo` has made; Chromium takes them.
pictures: all
	$(BIN)/python -m tests.maintenance.pictures build/demo/attention

# requirements.lock: the versions of constraints.txt with the digests of their files, from the package index. Minutes.
lock: all
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet pip-tools==7.6.2
	$(BIN)/python -m tests.maintenance.lock $(CURDIR)/build/lock/bin/pip-compile

# The wheel, the sdist, and beside them a bill of materials of all that softmark needs.
dist: all
	$(BIN)/python -m build --quiet --sdist --wheel --no-isolation --outdir dist
	$(BIN)/python -m tests.maintenance.sbom dist/softmark.cdx.json

clean:
	rm -rf $(VENV) build dist
