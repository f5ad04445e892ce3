# The commands people and CI use. Every path is relative, so the project may lie in a folder with a space.

PYTHON ?=
VENV_PYTHON := .venv/bin/python
RUNTIME := .venv/.runtime-installed
DEV := .venv/.dev-installed
COMPILE := $(or $(PYTHON),python3) -m uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

export PYTHONUNBUFFERED := 1

.PHONY: force help setup run test check bench breaks compile

help:
	@echo "make setup    install the pinned requirements into .venv"
	@echo "make run      start the product on http://127.0.0.1:$${PORT:-8000}/"
	@echo "make test     run the whole test suite"
	@echo "make check    format, lint, types, import contracts, templates, migrations, deploy check, docs"
	@echo "make bench    measure speed and memory"
	@echo "make breaks   plant one fault in each layer and demand that the suite notices"
	@echo "make compile  pin requirements*.in again (needs uv)"

setup: $(RUNTIME)

force:

# A .venv whose interpreter is gone (an upgraded or removed Python) is made again.
BROKEN := $(shell test -e .venv && ! $(VENV_PYTHON) -c "" 2>/dev/null && echo force)

$(RUNTIME): requirements.txt $(BROKEN)
	@scripts/make-venv.sh "$(PYTHON)"
	@$(VENV_PYTHON) -m pip install --quiet --require-hashes -r requirements.txt
	@touch $@

$(DEV): requirements-dev.txt $(RUNTIME)
	@$(VENV_PYTHON) -m pip install --quiet --require-hashes -r requirements-dev.txt
	@touch $@

run: $(RUNTIME)
	@exec $(VENV_PYTHON) -m plancover_assist.embedded.run

test: $(DEV)
	@$(VENV_PYTHON) -m pytest $(ARGS)

check: $(DEV)
	@$(VENV_PYTHON) scripts/check.py

bench: $(DEV)
	@$(VENV_PYTHON) -m tests.bench

breaks: $(DEV)
	@$(VENV_PYTHON) scripts/named_breaks.py $(ARGS)

compile:
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) requirements-dev.in -o requirements-dev.txt
