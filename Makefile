# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
RELEASE := build/release

.PHONY: all demo test build bench deps format check-format check-floors asan tsan clean help

all: build

help:
	@echo "make demo     install what is missing, build, run the examples beside NumPy"
	@echo "make test     install what is missing, build, run every test"
	@echo "make build    $(RELEASE)/bin/sluice and the Python package in $(VENV)"
	@echo "make bench    print the numbers of bench/README.md"
	@echo "make asan     run the C++ tests under the address and undefined-behaviour sanitizers"
	@echo "make tsan     run the C++ tests under the thread sanitizer"
	@echo "make format   apply clang-format"

# Debian packages and the virtual environment; does nothing when everything is there.
deps: $(VENV)/ready

$(VENV)/ready: tools/install_dependencies.sh python/requirements.txt
	tools/install_dependencies.sh
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r python/requirements.txt
	echo "$(CURDIR)/python" > "$$($(VENV)/bin/python -c 'import site; print(site.getsitepackages()[0])')/sluice.pth"
	touch $@

$(RELEASE)/CMakeCache.txt: $(VENV)/ready CMakePresets.json
	cmake --preset release -DPython_EXECUTABLE=$(CURDIR)/$(VENV)/bin/python $(if $(CI),-DSLUICE_WERROR=ON)
	touch $@

build: $(RELEASE)/CMakeCache.txt
	cmake --build $(RELEASE) --target sluice sdfgcc _core

demo: build
	$(VENV)/bin/python examples/demo.py

test: $(RELEASE)/CMakeCache.txt check-floors
	cmake --build $(RELEASE)
	ctest --test-dir $(RELEASE) --output-on-failure -j 2
	$(VENV)/bin/python -m pytest -q tests/python tests/cli tests/docs

bench: build
	cmake --build $(RELEASE) --target benchmarks
	$(VENV)/bin/python bench/run.py

check-floors: $(VENV)/ready
	$(VENV)/bin/python tools/check_floors.py

SOURCES = $(shell git ls-files '*.cpp' '*.h')

format:
	clang-format --style=file -i $(SOURCES)

check-format: $(VENV)/ready
	clang-format --style=file --dry-run --Werror $(SOURCES)

asan tsan: SANITIZER = $(if $(filter asan,$@),asan-ubsan,tsan)
asan tsan: $(VENV)/ready
	cmake --preset $(SANITIZER)
	cmake --build build/$(SANITIZER)
	ctest --test-dir build/$(SANITIZER) --output-on-failure -j 2

clean:
	rm -rf build
