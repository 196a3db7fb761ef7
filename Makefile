# The commands of the book. Each sets up what it needs first; `make help` lists them.
PYTHON ?= python3
PORT ?= 8000
ENGINE ?= auto
JOBS ?= 2
export PYTHONPATH :=
export PYTHONDONTWRITEBYTECODE := 1

PY := .venv/bin/python
SETUP := $(PYTHON) scripts/setup.py

.DEFAULT_GOAL := help
.PHONY: help site serve figures lab check-data test test-python test-js test-browser lint format bench clean setup-site setup-lab setup-test

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup-site setup-lab setup-test:
	@$(SETUP) $(@:setup-%=%)

site: setup-site ## Draw the figures and build _site/ (ENGINE=embedded|quarto chooses the engine)
	@$(PY) scripts/build_site.py --engine $(ENGINE)

serve: setup-site ## Serve the site on 127.0.0.1:$(PORT) and rebuild it on change
	@$(PY) scripts/build_site.py --engine $(ENGINE) --serve --port $(PORT)

figures: setup-site ## Draw figures/ and write _variables.yml from data/
	@$(PY) scripts/make_figures_04.py
	@$(PY) scripts/make_diagrams.py

lab: setup-lab ## Train and measure the models, write data/ (FRESH=1 sets earlier runs aside, ADOPT=1 keeps them after a change that replays)
	@$(PY) -m lab04 --jobs $(JOBS) --earlier $(if $(FRESH),fresh,$(if $(ADOPT),adopt,resume))

check-data: setup-site ## Say which data files their code has left behind
	@$(PY) scripts/check_data.py

test: test-python test-js test-browser ## Run every test

test-python: setup-test
	@$(PY) -m pytest tests/python -n $(JOBS)

test-js: setup-test
	@node --test tests/js/*.test.js

test-browser: setup-test
	@$(PY) scripts/build_site.py --engine embedded
	@$(PY) -m pytest tests/browser -n $(JOBS)

lint: setup-test check-data ## Check style, types and data
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy
	@node_modules/.bin/biome ci --error-on-warnings

format: setup-test ## Put the code into the house style
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format --quiet .
	@node_modules/.bin/biome check --write .

bench: setup-test site ## Measure speed and size (ONLY="lab site browser" chooses)
	@$(PY) -m bookbench $(ONLY)

clean: ## Remove the site and the caches; data, checkpoints and set-up stay
	@rm -rf _site build/cache build/assets build/fonts build/bench build/figures.stamp demos/dist
	@echo "Removed _site/, demos/dist/ and the build caches. Kept data/ and build/lab/."
