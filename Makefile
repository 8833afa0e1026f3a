# Anpai. `make` alone lists what there is; nothing needs root or Docker.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& command -v $$p && break; done)
BIN := .venv/bin
PROTOS := $(shell find protos -name '*.proto' 2>/dev/null)
CODE := services clients tests $(wildcard loadtest)
TYPED := services clients/terminal clients/bots clients/bench clients/python/src/anpai tests $(wildcard loadtest)
RELEASED := tests/contract/released.binpb
# Three at a time, where there are two cores: most tests wait for processes. The tests of a
# file stay together.
PYTEST ?= -n 3 --dist loadfile
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := help
.PHONY: help venv protos lint types contract release-contract format test demo bench
.PHONY: loadtest laws sweep chaos failovers patience soak mutants fuzz audit strength clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: protos ## set everything up and play at once, against bots, on this machine
	@$(BIN)/anpai demo

test: lint types contract ## everything that must hold before a commit
	@$(BIN)/pytest $(PYTEST)

laws: protos ## the laws of all games with many random games each (EXAMPLES=300)
	@ANPAI_SCALE=full ANPAI_LAW_EXAMPLES=$(or $(EXAMPLES),300) $(BIN)/pytest --timeout 0 \
		tests/laws $(PYTEST)

sweep: protos ## every byte of 20,000 games is searched for faces, for hours (PART=0.1)
	@ANPAI_SCALE=$(or $(PART),full) $(BIN)/pytest tests/evenings/test_every_byte.py

chaos: protos ## everything fails while 40 tables are played, for ten minutes (SEED=)
	@ANPAI_SCALE=full ANPAI_CHAOS_SEED=$(SEED) $(BIN)/pytest tests/evenings/test_chaos.py

failovers: protos ## primaries of clusters and Sentinel groups die, hang, move, five minutes
	@ANPAI_SCALE=full $(BIN)/pytest tests/evenings/test_failovers.py \
		tests/services/chassis/test_store_groups.py \
		tests/services/chassis/test_store_faults.py

patience: protos ## an hour of silence, thousands of onlookers, two vaults
	@ANPAI_SCALE=full $(BIN)/pytest tests/evenings/test_keepalive.py \
		tests/evenings/test_draining.py tests/evenings/test_two_vaults.py

soak: protos ## evenings over and over: does memory grow? (MINUTES=30)
	@ANPAI_SOAK_MINUTES=$(or $(MINUTES),30) $(BIN)/pytest tests/evenings/test_soak.py

fuzz: protos ## every method with messages that nearly make sense, for long (SEED=)
	@ANPAI_SCALE=full ANPAI_SEED=$(or $(SEED),1) $(BIN)/pytest tests/services/test_fuzzing.py

audit: protos ## has anything we depend on a known hole? It asks the package index.
	@$(BIN)/pip install -qq --disable-pip-version-check -e clients/python -e '.[dev,audit]'
	@$(BIN)/python -m tests.audit

mutants: protos ## mistakes made on purpose: do the tests notice? (MINUTES=30 SEED= PART=)
	@$(BIN)/pip install -qq --disable-pip-version-check -e clients/python -e '.[dev,mutants]'
	@MINUTES=$(MINUTES) SEED=$(SEED) PART=$(PART) $(BIN)/python -m tests.mutants

lint: protos ## style, who may import whom, and the shape of the protos
	@$(BIN)/ruff check --quiet $(CODE)
	@$(BIN)/ruff format --check --quiet $(CODE) \
		|| { echo 'Not formatted as agreed: run "make format".'; exit 1; }
	@$(BIN)/lint-imports --no-cache > .venv/imports.log || { cat .venv/imports.log; exit 1; }
	@$(BIN)/buf lint protos

types: protos ## mypy --strict
	@$(BIN)/mypy --no-error-summary $(TYPED)

contract: protos ## do the protos still serve the clients of the last release?
	@$(BIN)/buf breaking protos --against $(RELEASED)

release-contract: protos ## promise the protos as they are now: run it with a release
	@$(BIN)/buf build protos --exclude-source-info -o $(RELEASED)

format: venv ## let ruff arrange the code
	@$(BIN)/ruff check --quiet --fix $(CODE); $(BIN)/ruff format --quiet $(CODE)

bench: protos ## how many answers a second, how fast, at what cost
	@$(BIN)/anpai bench playouts
	@$(BIN)/anpai bench load $(ARGS)

loadtest: protos ## evenings with names, by locust (EVENING=reconnect-storm ARGS="--users 100")
	@$(BIN)/python -m loadtest $(EVENING) $(ARGS)

strength: protos ## bot against bot: do the better ones win as often as promised?
	@$(BIN)/python -m clients.bots.strength $(ARGS)

protos: .venv/.protos ## make the stubs of every proto
venv: .venv/.installed ## install everything into .venv

clean: ## forget all that make made (the state of `anpai up` stays in .anpai)
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@rm -rf $(addprefix clients/python/src/anpai/,.stubs access audit engine errors \
		matchmaking operator vault)
	@find services clients tests -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.installed: pyproject.toml clients/python/pyproject.toml
	@test -n "$(PYTHON)" || { echo 'Anpai needs Python 3.11 or newer on the PATH.'; exit 1; }
	@test -x $(BIN)/python || { echo 'make: a virtual environment in .venv'; $(PYTHON) -m venv .venv; }
	@echo 'make: installing, a minute or two on a fresh machine'
	@$(BIN)/pip install -qq --disable-pip-version-check -e clients/python -e '.[dev]'
	@touch $@

.venv/.protos: $(PROTOS) clients/python/hatch_build.py | .venv/.installed
	@$(BIN)/python clients/python/hatch_build.py
	@touch $@
