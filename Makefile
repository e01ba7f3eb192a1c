# Each target is one line and says what it does (`make help`); the logic is in scripts/.
# PYTHON makes the environments and must be 3.11 or newer: `make test PYTHON=python3.13`.
PYTHON ?= python3
READY := .venv/installed
NATIVE := .venv/native
DEMO := .venv-demo/installed
DOCS := .venv-docs/installed
RELEASE := .venv-release/installed
# For how many seconds `make fuzz` searches: `make fuzz TIME=3600`.
TIME ?= 600
VENV := .venv/bin/python
RUST := $(shell find native/src -name '*.rs')

.PHONY: help demo test lint format generate check-generated schema-generators upstream check-proto native fuzz interop conformance json-format-suite compare
.PHONY: test-packages test-oldest test-pythons test-columns test-engines test-browser npm-package memory docs release-check bench ci clean
.DEFAULT_GOAL := help

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 18

demo: $(DEMO) ## Take two recorded conversations from JSON to messages to bytes and back, and show them
	@TURNWIRE_REQUIRE_NATIVE=0 .venv-demo/bin/python examples/demo.py

test: $(NATIVE) ## Run ruff and the tests, those that a backend can change over both
	@$(VENV) -m ruff check && $(VENV) -m ruff format --check && $(VENV) scripts/run_tests.py

lint: $(READY) ## Run ruff, mypy --strict, pyright and buf
	@$(VENV) -m ruff check && $(VENV) -m ruff format --check && $(VENV) -m pytest tests/typing && $(PYTHON) scripts/check_proto.py

format: $(READY) ## Format the Python and .proto files
	@$(VENV) -m ruff check --fix && $(VENV) -m ruff format && $(PYTHON) scripts/check_proto.py --fix

generate: $(READY) ## Make generated/, tests/vectors/, the type registries of interop/ and parts of pages
	@$(VENV) scripts/generate.py

native: $(NATIVE) ## Check the native core by itself, where cargo is: rustfmt, clippy, crates, its own tests
	@$(PYTHON) scripts/check_native.py

fuzz: $(NATIVE) ## Search the native core for TIME=600 seconds for inputs that break it, then compare the backends
	@$(PYTHON) scripts/fuzz.py $(TIME)

check-generated: $(READY) ## Generate in memory, and fail on any difference or leftover
	@$(VENV) scripts/generate.py --check

schema-generators: $(READY) ## Prove that three generators of types and Ajv read the JSON Schemas
	@$(VENV) scripts/schema_generators.py

upstream: $(READY) ## Regenerate tests/contract/discovery.tsv, and compare the schema with Google's newest clients
	@$(VENV) scripts/upstream.py

check-proto: ## Run buf format, buf lint, and buf breaking against the last release
	@$(PYTHON) scripts/check_proto.py

interop: $(READY) ## Prove that TypeScript, Go, Java and Rust read and write the same, where their tools are
	@$(VENV) scripts/interop.py

conformance: $(NATIVE) ## Run the official protobuf conformance suite with the runner that $CONFORMANCE names
	@$(VENV) scripts/conformance.py

json-format-suite: $(NATIVE) ## Run Google's own tests of json_format with the program that $JSON_FORMAT_SUITE names
	@$(VENV) scripts/json_format_suite.py

compare: $(READY) ## Run the conformance suite and the JSON rules over google's json_format, and count the differences
	@$(VENV) scripts/compare_json_format.py

test-packages: $(READY) ## Build the wheel and the sdist, and try each in a clean environment
	@$(VENV) -m pytest tests/packaging

test-oldest: $(NATIVE) ## Run the tests of the runtime on the oldest protobuf that pyproject.toml allows
	@$(PYTHON) scripts/test_runtimes.py oldest

test-pythons: $(NATIVE) ## Run the tests of the runtime on the other Pythons that pyproject.toml names
	@$(PYTHON) scripts/test_runtimes.py pythons

test-columns: $(NATIVE) ## Run tests/columns with the data libraries: pandas, polars, DuckDB
	@$(PYTHON) scripts/test_runtimes.py columns

test-engines: $(NATIVE) ## Run tests/engines: Spark (needs Java 17), Beam, DuckDB and Polars give the same rows
	@$(PYTHON) scripts/test_runtimes.py engines

test-browser: ## Run tests/browser in Chromium: pages, axe-core, a notebook; apt and npm bring what is missing
	@$(PYTHON) scripts/test_browser.py

npm-package: ## Build the npm package turnwire-schema in interop/typescript, where npm is
	@$(PYTHON) scripts/npm_package.py

memory: $(NATIVE) ## Hold peak memory of hostile inputs to a multiple of their size, over both backends
	@$(VENV) benchmarks/hostile.py && $(VENV) benchmarks/hostile.py --pure

docs: $(DOCS) ## Build the site in build/site; a warning or a link that leads nowhere is an error
	@TURNWIRE_REQUIRE_NATIVE=0 .venv-docs/bin/python scripts/site.py

release-check: $(RELEASE) ## Build, inspect and install everything that a release uploads, short of uploading
	@.venv-release/bin/python scripts/release_check.py

bench: $(NATIVE) ## Measure speed: tables of medians, with ratios to google's json_format
	@set -e; for table in benchmarks/*.py; do $(VENV) $$table; done

ci: ## Run everything that CI runs
	@bash .ci/run

clean: ## Remove the environments and everything that was built
	@rm -rf .venv* .toolchain .schema-generators build dist native/target tests/browser/node_modules $(addprefix examples/recipes/typescript_page/,node_modules build) $(foreach made,node_modules dist build target bin,interop/*/$(made))

$(READY) $(DEMO) $(DOCS) $(RELEASE): pyproject.toml scripts/environment.py
	@$(PYTHON) scripts/environment.py $(@D)

$(NATIVE): $(READY) scripts/build_native.py native/Cargo.lock native/Cargo.toml $(RUST)
	@$(PYTHON) scripts/build_native.py
