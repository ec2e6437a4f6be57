# Every command of the repository. Needs Python 3.11 or newer, make and git, nothing else: each target makes the
# environment that it needs (.venv) when there is none, from the pins in requirements/.
#
#   make demo           plan, prove and write the robot program that ships in the package
#   make test           the test suite                      ARGS="-k frame -x" goes to pytest
#   make check          format, lint, types, layers, kernel contract, documentation, doctests
#   make format         rewrite the sources the way `make check` wants them
#   make bench          time of every control-loop operation, from Python and from native code
#   make bench-peers    our time beside other packages', as ratios, into benchmarks/RESULTS.md
#   make mutants        plant known wrong forms; the suite must fail on each
#   make test-compiled  the suite with every kernel in native code, compiled beforehand
#   make test-bounds    the parts of it that run kernels, in native code that checks every index
#   make nightly        the proofs that take long: a million motions, a thousand states of each engine, 60 000 poses an arm
#   make coverage       the suite, interpreted, with coverage
#   make install-test   that part of the suite alone that installs the wheel into a clean environment
#   make docs           the documentation, in docs/_build/html
#   make pins           resolve requirements/*.txt anew
#   make clean          remove the environment and everything that was made

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
ARGS ?=
# other versions than the pinned ones, for a test matrix: make test WITH="numpy==2.2.* numba==0.67.*"
WITH ?=

BIN := $(VENV)/bin
RUN := $(BIN)/python
PIP := $(RUN) -m pip --disable-pip-version-check install --quiet
PYTEST := $(RUN) -m pytest -n $(WORKERS) --dist loadfile
SPHINX := $(RUN) -m sphinx --fail-on-warning --keep-going --jobs 2 docs docs/_build

# modules are compiled to bytecode once, not at every start
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: demo test test-compiled test-bounds check format format-check lint types layers contract doctest docs coverage \
	bench bench-peers measure-peers mutants nightly install-test pins clean

# ---- what a user runs
demo: $(VENV)/.runtime
	$(BIN)/motionkit demo --out demo

test: $(VENV)/.test
	$(PYTEST) $(ARGS)

# ---- what a change must pass
check: format-check lint types layers contract docs doctest

format-check: $(VENV)/.check
	$(RUN) -m ruff format --check .

lint: $(VENV)/.check
	$(RUN) -m ruff check .

types: $(VENV)/.check
	$(RUN) -m pyright --warnings --pythonpath $(RUN)

layers: $(VENV)/.check
	$(BIN)/lint-imports --no-logo

contract: $(VENV)/.test
	$(RUN) tools/kernel_rules.py src/motionkit/kernels

docs: $(VENV)/.check
	$(SPHINX)/html --builder html --quiet

doctest: $(VENV)/.test
	$(RUN) -m pytest --doctest-modules src $(ARGS)

format: $(VENV)/.check
	$(RUN) -m ruff check --fix --quiet . || true
	$(RUN) -m ruff format .

# ---- what takes longer
# without what starts processes that choose how their kernels run
test-compiled: $(VENV)/.test
	$(BIN)/motionkit warmup
	MOTIONKIT_TIER=compiled $(PYTEST) --ignore=tests/install --ignore=tests/kernels/test_cuda.py \
		--ignore=tests/kernels/test_cache.py $(ARGS)

test-bounds: $(VENV)/.test
	NUMBA_BOUNDSCHECK=1 MOTIONKIT_TIER=compiled $(PYTEST) tests/kernels tests/robot tests/motion tests/cartesian \
		--ignore=tests/kernels/test_cuda.py --ignore=tests/kernels/test_cache.py $(ARGS)

coverage: $(VENV)/.check
	$(PYTEST) --cov --cov-report=term $(ARGS)

nightly: $(VENV)/.test
	$(RUN) tools/online_proof.py --count 1000000 --outside
	$(RUN) tools/online_proof.py --count 200000 --axes 6 --outside
	$(RUN) tools/dynamics_proof.py --count 1000
	$(RUN) benchmarks/inverse_kinematics.py --nightly

install-test: $(VENV)/.test
	$(RUN) -m pytest tests/install $(ARGS)

mutants: $(VENV)/.test
	$(RUN) tools/mutants.py --jobs $(WORKERS) $(ARGS)

bench: $(VENV)/.test
	$(RUN) benchmarks/control_loop.py $(ARGS)

# in an environment of its own: peers and oracles ask for different versions of what they share
bench-peers:
	@$(MAKE) --no-print-directory VENV=$(VENV)-peers measure-peers

measure-peers: $(VENV)/.peers
	$(RUN) benchmarks/peers.py $(ARGS)

pins: $(VENV)/pyvenv.cfg
	$(RUN) tools/pins.py

clean:
	rm -rf $(VENV) $(VENV)-peers build dist demo docs/_build docs/reference .coverage .hypothesis .pytest_cache .ruff_cache .import_linter_cache
	find src tests tools benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

# ---- the environment: one folder, filled as far as a target needs; a stamp is older than what it was made from
$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit(f"motionkit needs Python 3.11 or newer; $(PYTHON) is {v[0]}.{v[1]}: say make PYTHON=python3.12")'
	@echo "making $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements/runtime.txt requirements/build.txt pyproject.toml | $(VENV)/pyvenv.cfg
	@echo "installing the package and what it needs to run"
	@$(PIP) -r requirements/build.txt -r requirements/runtime.txt
	@$(if $(WITH),$(PIP) $(WITH))
	@$(PIP) --no-deps --no-build-isolation --editable .
	@$(RUN) -m compileall -q $(VENV)/lib src || true
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.runtime
	@echo "installing what the tests need"
	@$(PIP) -r requirements/test.txt
	@$(if $(WITH),$(PIP) $(WITH))
	@$(RUN) -m compileall -q $(VENV)/lib || true
	@touch $@

$(VENV)/.check: requirements/check.txt $(VENV)/.test
	@echo "installing what the checks need"
	@$(PIP) -r requirements/check.txt
	@$(if $(WITH),$(PIP) $(WITH))
	@$(RUN) -m compileall -q $(VENV)/lib || true
	@touch $@

$(VENV)/.peers: requirements/peers.txt $(VENV)/.runtime
	@echo "installing the packages that ours is measured beside"
	@$(PIP) -r requirements/peers.txt
	@$(if $(WITH),$(PIP) $(WITH))
	@$(RUN) -m compileall -q $(VENV)/lib || true
	@touch $@
