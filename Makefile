# Every way to run and check musicrel; `make help` lists them.
# packaging/prepare.py sets .venv up and notes what it did, so a second call goes straight on.

PYTHON ?= python3
TORCH ?=
BIN := .venv/bin
PREPARE := $(PYTHON) packaging/prepare.py $(if $(TORCH),--torch $(TORCH))
NO_TESTS_COLLECTED := 5
WORKERS ?= 2
QUICK := $(addprefix tests/unit/,analysis model/tokens presentation score)

.PHONY: help run quick test slow clean
.NOTPARALLEL:

help:
	@echo "make run    set musicrel up in .venv and open it"
	@echo "make quick  set up, then lint and the tests of music and text, in less than a minute"
	@echo "make test   set up, then lint, types, layers and all tests but the slow ones"
	@echo "make slow   set up, then the slow tests"
	@echo "make clean  remove .venv and the tools' caches"
	@echo "With TORCH=cpu the set-up takes the small CPU build of torch, not the one for CUDA of several GB."
	@echo "With WORKERS=4 the tests run in four processes instead of two."
	@echo "With PYTHON=python3.12 it uses that Python; it needs 3.11 or newer."

run:
	@$(PREPARE)
	@$(BIN)/python -m musicrel

quick:
	@$(PREPARE) --dev
	$(BIN)/ruff check
	$(BIN)/pytest -m "not slow" -n $(WORKERS) --dist worksteal $(QUICK)

test:
	@$(PREPARE) --dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -m "not slow" -n $(WORKERS) --dist worksteal

slow:
	@$(PREPARE) --dev
	$(BIN)/pytest -m slow -n $(WORKERS) --dist loadfile || [ $$? -eq $(NO_TESTS_COLLECTED) ]

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
