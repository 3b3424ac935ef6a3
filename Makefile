# One verb per chore; every verb sets up what it needs.
#
#   make demo      check two shipped models, one of them wrong, and show the counterexample
#   make test      run the tests
#   make lint      formatter, linter, types
#   make corpus    score against the corpus and print a table   (ARGS="--tier tiny --seconds 10")
#   make agreement run both engines over the corpus, and compare   (ARGS="--tier core --seconds 10")
#   make bench     how fast models are explored, beside Spin where it is installed   (ARGS="--only counters"; with --ltl, what formulas cost; with --threads, what a second thread saves)
#   make compare   compare the speed of this tree with another revision   (BASE=HEAD~1)
#   make fuzz      the property-based tests, at length
#   make times     from loading to a verdict, beside ProB's recorded times
#   make por       partial order reduction over the corpus: verdicts and sizes
#   make por-tables  the tables of two papers, our reductions and provisos beside theirs   (ARGS="--table 2")
#   make por-fuzz  random event systems, reduced searches against full ones   (SYSTEMS=100000)
#   make hsf-spin  the tables of the paper on provisos, on Promela models, beside Spin   (ARGS="--table 1")
#   make promela-fuzz  random Promela programs, Spin against every way of ours   (PROGRAMS=2000)
#   make audit     certificates of reduced runs over the corpus: audited, and tampered with   (ARGS="--all --limit 200")
#   make symmetry  symmetric states merged against all of them, over the corpus
#   make symmetry-fuzz  random symmetric systems, merged searches against full ones   (SYSTEMS=50000)
#   make symbolic  sets of states against states one by one, over the corpus
#   make symbolic-fuzz  random systems and formulas, every way to search sets against a definition   (PAIRS=20000)
#   make ltl-fuzz  random systems and temporal formulas, every way to judge them against a definition   (PAIRS=100000)
#   make ltl-por   temporal formulas of the corpus, in full and reduced: verdicts and sizes
#   make promela-por  partial order reduction on Promela models, beside Spin's   (ARGS="--deadlocks --por stubborn,best")
#   make promela   Promela models beside Spin, where it is installed: states, transitions, errors   (ARGS="--seconds 30 --filter Tests")
#   make coverage  the same tests, and which lines they reach
#   make native    build the native explorer into src/secateur, for work on the tree itself
#   make asan      run its tests with checks for misused memory and undefined behaviour
#   make tsan      run its tests with checks for data races
#   make wheel     build a wheel in dist/, for any Linux as far as this machine allows
#   make clean     remove everything that the verbs above made

PYTHON ?= python3
JOBS ?= 2
ARGS ?=
SYSTEMS ?= 100000
PROGRAMS ?= 2000
PAIRS ?= 100000
BASE ?= HEAD

# Relative on purpose: the folder's own path may contain spaces.
VENV := .venv
PY := $(VENV)/bin/python
INSTALL := $(PYTHON) tools/install.py $(VENV)

.PHONY: demo test lint corpus agreement bench compare times fuzz por por-tables por-fuzz hsf-spin promela-fuzz promela promela-por audit symmetry symmetry-fuzz symbolic symbolic-fuzz ltl-fuzz ltl-por coverage native asan tsan wheel clean

demo:
	@$(INSTALL)
	@$(PY) tools/demo.py

test:
	@$(INSTALL) --dev
	$(PY) -m pytest -q -n $(JOBS) $(ARGS)

lint:
	@$(INSTALL) --dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy --strict
	$(VENV)/bin/clang-format --dry-run --Werror native/*/*.cpp native/*/*.hpp

corpus:
	@$(INSTALL)
	$(PY) -m tools.corpus --jobs $(JOBS) $(ARGS)

agreement:
	@$(INSTALL)
	$(PY) -m tools.engines --jobs $(JOBS) $(ARGS)

bench:
	@$(INSTALL)
	$(PY) -m bench $(ARGS)

compare:
	@$(INSTALL)
	$(PY) -m bench.revisions --base $(BASE) $(ARGS)

times:
	@$(INSTALL)
	$(PY) -m tools.times $(ARGS)

fuzz:
	@$(INSTALL) --dev
	HYPOTHESIS_PROFILE=nightly $(PY) -m pytest -q -n $(JOBS) -m "not slow" tests/unit tests/agreement $(ARGS)

por:
	@$(INSTALL)
	$(PY) -m tools.por --jobs $(JOBS) $(ARGS)

por-tables:
	@$(INSTALL)
	$(PY) -m tools.por_tables $(ARGS)

por-fuzz:
	@$(INSTALL) --dev
	$(PY) -m tools.por_fuzz $(SYSTEMS) --jobs $(JOBS) $(ARGS)

hsf-spin:
	@$(INSTALL)
	$(PY) -m bench.hsf_spin $(ARGS)

promela-fuzz:
	@$(INSTALL) --dev
	$(PY) -m tools.promela_fuzz $(PROGRAMS) --jobs $(JOBS) $(ARGS)

audit:
	@$(INSTALL)
	$(PY) -m tools.audit --jobs $(JOBS) $(ARGS)

symmetry:
	@$(INSTALL)
	$(PY) -m tools.symmetry --jobs $(JOBS) $(ARGS)

symmetry-fuzz:
	@$(INSTALL) --dev
	$(PY) -m tools.symmetry_fuzz $(SYSTEMS) --jobs $(JOBS) $(ARGS)

symbolic:
	@$(INSTALL)
	$(PY) -m tools.symbolic --jobs $(JOBS) $(ARGS)

symbolic-fuzz:
	@$(INSTALL) --dev
	$(PY) -m tools.symbolic_fuzz $(PAIRS) --jobs $(JOBS) $(ARGS)

ltl-fuzz:
	@$(INSTALL) --dev
	$(PY) -m tools.ltl_fuzz $(PAIRS) --jobs $(JOBS) $(ARGS)

ltl-por:
	@$(INSTALL)
	$(PY) -m tools.ltl_por --jobs $(JOBS) $(ARGS)

promela:
	@$(INSTALL) --dev
	$(PY) -m tools.promela.compare $(ARGS)

promela-por:
	@$(INSTALL)
	$(PY) -m tools.promela.reduced $(ARGS)

coverage:
	@$(INSTALL) --dev
	$(PY) -m coverage run -m pytest -q tests/unit tests/contract tests/cli tests/examples $(ARGS)
	$(PY) -m coverage combine -q
	$(PY) -m coverage report

native:
	@$(PYTHON) tools/native.py build

asan tsan:
	@$(PYTHON) tools/native.py $@ $(ARGS)

wheel:
	@$(PYTHON) tools/native.py wheel

clean:
	rm -f src/secateur/*.so
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov
	find src tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} +
