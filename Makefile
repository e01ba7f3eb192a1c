# Each target is one line and says what it does (`make help`); the logic is in scripts/.
# PYTHON makes the environments and must be 3.11 or newer: `make test PYTHON=python3.13`.
PYTHON ?= python3
READY := .venv/installed
VENV := .venv/bin/python

.PHONY: help demo test lint format generate golden json-schema check-generated check-proto interop conformance test-oldest bench ci clean
.DEFAULT_GOAL := help

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 18

demo: $(READY) ## Take two recorded conversations from JSON to messages to bytes and back, and show them
	@$(VENV) examples/demo.py

test: $(READY) ## Run ruff, all tests and the type checks: all that CI runs with nothing but Python
	@$(VENV) -m ruff check && $(VENV) -m ruff format --check && $(VENV) -m pytest

lint: $(READY) ## Run ruff, mypy --strict, pyright and buf
	@$(VENV) -m ruff check && $(VENV) -m ruff format --check && $(VENV) -m mypy && $(VENV) -m pyright --pythonpath $(VENV) && $(PYTHON) scripts/check_proto.py

format: $(READY) ## Format the Python and .proto files
	@$(VENV) -m ruff check --fix && $(VENV) -m ruff format && $(PYTHON) scripts/check_proto.py --fix

generate: ## Make generated/ from proto/ with the pinned toolchain
	@$(PYTHON) scripts/generate.py

golden: $(READY) ## Make the golden vectors in tests/golden
	@$(VENV) scripts/golden.py

json-schema: $(READY) ## Make the JSON Schemas in generated/jsonschema
	@$(VENV) scripts/json_schema.py

check-generated: ## Generate elsewhere, and fail when generated/ differs or holds leftovers
	@$(PYTHON) scripts/generate.py --check

check-proto: ## Run buf format, buf lint, and buf breaking against the last tag
	@$(PYTHON) scripts/check_proto.py

interop: $(READY) ## Prove that TypeScript, Go, Java and Rust read and write the same, where their tools are
	@$(VENV) scripts/interop.py

conformance: $(READY) ## Run the official protobuf conformance suite, where its runner is found
	@$(VENV) scripts/conformance.py

test-oldest: ## Run the tests of the runtime on the oldest protobuf that pyproject.toml allows
	@$(PYTHON) scripts/test_oldest.py

bench: $(READY) ## Measure speed: tables of medians, with ratios to google's json_format
	@set -e; for table in benchmarks/*.py; do $(VENV) $$table; done

ci: ## Run everything that CI runs
	@bash .ci/run

clean: ## Remove the environments and everything that was built
	@rm -rf .venv* .toolchain build dist interop/*/{node_modules,dist,build,target}

$(READY): pyproject.toml scripts/environment.py
	@$(PYTHON) scripts/environment.py
