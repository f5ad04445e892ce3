#!/bin/sh
# Makes .venv with a Python that is new enough, or says in one sentence why it cannot. Usage: make-venv.sh [PYTHON]
# Installs nothing: the Makefile does that, so that it can tell when the requirements changed.
set -u

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

fail() { echo "$1" >&2; exit 1; }

if new_enough .venv/bin/python; then exit 0; fi

python=${1:-}
if [ -n "$python" ]; then
    new_enough "$python" || fail "PlanCover Assist needs Python 3.11 or newer, and '$python' is not: install one and name it, as in make setup PYTHON=python3.11"
else
    for candidate in python3.11 python3.12 python3.13 python3 python; do
        if new_enough "$candidate"; then python=$candidate; break; fi
    done
    [ -n "$python" ] || fail "PlanCover Assist needs Python 3.11 or newer and found none on the PATH: install one, or name it, as in make setup PYTHON=/opt/python/bin/python3.11"
fi

reason=$("$python" -m venv --clear .venv 2>&1) ||
    fail "The virtual environment .venv could not be made with $python: $(printf '%s' "$reason" | tr -s '\n' ' ')"
