# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
PREFIX ?= /usr/local
RELEASE := build/release
# Paths count from the build folder, so that what was compiled in build/release serves build/wheel too.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
VIZ := build/web/node_modules/@viz-js/viz/dist/viz-global.js

.PHONY: all demo gallery test build bench bench-quick bench-full install dist deps pages format check-format check-floors check-install check-install-quick asan tsan tsan-programs fuzz clean help

all: build

help:
	@echo "make demo     install what is missing, build, run the examples beside NumPy"
	@echo "make gallery  install what is missing, build, run the programs of gallery/ beside NumPy, write pages to build/gallery"
	@echo "make test     install what is missing, build, run every test"
	@echo "make build    the command and the Python package, both in $(VENV)"
	@echo "make install  the command, libsluice.so, headers and what finds them, to PREFIX=$(PREFIX)"
	@echo "make dist     build/sluice-VERSION.tar.gz: the source of this commit, which builds without git"
	@echo "make check-install   try every way to install, in temporary folders; check-install-quick: those that take a minute"
	@echo "make bench    print the numbers of bench/README.md"
	@echo "make bench-quick   the scoreboard beside NumPy, Numba and C, under 10 minutes; bench-full: beside every peer, also at larger sizes, for a night"
	@echo "make asan     run the C++ tests under the address and undefined-behaviour sanitizers"
	@echo "make tsan     run the C++ tests, and what they compile, under the thread sanitizer (clang-19, libomp-19-dev, libclang-rt-19-dev)"
	@echo "make tsan-programs   run random programs, compiled with threads, under the thread sanitizer (clang-19, libomp-19-dev, libclang-rt-19-dev)"
	@echo "make fuzz     run the fuzzers of the loader and the parsers (clang-19), ten minutes each"
	@echo "make pages    write the pages of docs/ that follow from the source"
	@echo "make format   apply clang-format"

# Debian packages and the virtual environment; does nothing when everything is there.
deps: $(VENV)/ready

$(VENV)/ready: tools/install_dependencies.sh python/requirements.txt
	tools/install_dependencies.sh
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r python/requirements.txt
	echo "$(CURDIR)/python" > "$$($(VENV)/bin/python -c 'import site; print(site.getsitepackages()[0])')/sluice.pth"
	touch $@

# What tests of devices use: a wheel of 90 MB. Without it they are skipped.
$(VENV)/devices: $(VENV)/ready
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check nvidia-cuda-nvrtc-cu12==12.9.86 || echo "without NVRTC nobody checks the kernels of CUDA here"
	touch $@

# What tests alone need.
$(VENV)/ready-for-tests: $(VENV)/ready python/requirements-test.txt
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r python/requirements-test.txt
	touch $@

# The layout library that `sluice show --html` puts into its pages. Without npm the build goes on without it.
$(VIZ):
	@npm install --silent --no-audit --no-fund --prefix build/web @viz-js/viz@3.31.0 \
	|| echo "npm did not bring @viz-js/viz: this build will draw no HTML pages"

$(RELEASE)/CMakeCache.txt: $(VENV)/ready CMakePresets.json | $(VIZ)
	cmake --preset release -DPython_EXECUTABLE=$(CURDIR)/$(VENV)/bin/python $(if $(CI),-DSLUICE_WERROR=ON)
	touch $@

build: $(RELEASE)/CMakeCache.txt
	cmake --build $(RELEASE) --target sluice sdfgcc _core
	ln -sf $(CURDIR)/$(RELEASE)/bin/sluice $(CURDIR)/$(RELEASE)/bin/sdfgcc $(VENV)/bin/

demo: build
	$(VENV)/bin/python examples/demo.py

gallery: build
	$(VENV)/bin/python gallery/run.py --pages build/gallery --notebooks build/gallery/notebooks

test: $(RELEASE)/CMakeCache.txt $(VENV)/ready-for-tests $(VENV)/devices check-floors
	cmake --build $(RELEASE)
	ctest --test-dir $(RELEASE) --output-on-failure -j 2
	$(VENV)/bin/python -m pytest -q -n 2 --dist worksteal tests/python tests/cli tests/docs

bench: build
	cmake --build $(RELEASE) --target benchmarks
	$(VENV)/bin/python bench/run.py

install: build
	cmake --build $(RELEASE) --target sluice_shared
	cmake --install $(RELEASE) --component sluice --prefix $(PREFIX)

# bench/scoreboard/README.md; what an earlier run has measured is kept, unless SCOREBOARD=--again.
bench-quick: build
	$(VENV)/bin/python bench/scoreboard/run.py --preset S --seconds 0.2 --limit 10 $(SCOREBOARD)

bench-full: build
	for preset in S paper LARGE; do \
	  $(VENV)/bin/python bench/scoreboard/run.py --preset $$preset --peers all --seconds 5 --limit 120 --results build/scoreboard/results/full-$$preset $(SCOREBOARD) || exit 1; \
	done
	$(VENV)/bin/python bench/scoreboard/run.py --preset S --seconds 2 --limit 60 --load $(SCOREBOARD)

VERSION = $(shell sed -n 's/^project.sluice VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
dist:
	mkdir -p build
	git archive --prefix=sluice-$(VERSION)/ -o build/sluice-$(VERSION).tar.gz HEAD

# Installs into temporary folders: by cmake and as a wheel, made of what is built already, and by each way that there is:
# some ten minutes, most of them compiling.
check-install-quick: build
	for each in cmake wheel; do tests/install/$$each.sh || exit 1; done

check-install: check-install-quick
	for each in compiler tarball; do tests/install/$$each.sh || exit 1; done

check-floors: $(VENV)/ready
	$(VENV)/bin/python tools/check_floors.py

# The pages of docs/ that are made of what the program says of itself.
pages: build
	$(VENV)/bin/python tools/transformation_pages.py
	$(VENV)/bin/python tools/numpy_names_page.py
	$(VENV)/bin/python tools/dace_names_page.py
	$(VENV)/bin/python tools/check_floors.py --write
	$(VENV)/bin/python tools/configuration_page.py

SOURCES = $(shell git ls-files '*.cpp' '*.h')

format:
	clang-format --style=file -i $(SOURCES)

check-format: $(VENV)/ready
	@clang-format --style=file --dry-run --Werror $(SOURCES)

asan: $(VENV)/ready
	cmake --preset asan-ubsan
	cmake --build build/asan-ubsan
	ASAN_OPTIONS=allocator_may_return_null=1 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks.supp ctest --test-dir build/asan-ubsan --output-on-failure -j 2

# libgomp's barriers are unknown to the sanitizer; LLVM's runtime tells it of them through Archer. What the tests compile is compiled by
# clang for that runtime, and looked at too; without it programs run by one thread. GCC's sanitizer has no memcpy of its own for clang.
# In libraries that were built without the sanitizer (the OpenMP runtime, BLAS) nothing is looked at.
SANITIZER_OF_CLANG = $(wildcard $(shell clang++-19 -print-resource-dir 2>/dev/null)/lib/*/libclang_rt.tsan*.a)
ARCHER = $(if $(SANITIZER_OF_CLANG),$(wildcard $(shell clang++-19 -print-file-name=libarcher.so 2>/dev/null)))
THREAD_SANITIZER = TSAN_OPTIONS="ignore_noninstrumented_modules=1 allocator_may_return_null=1 die_after_fork=0"
PROGRAMS_BY_CLANG = CXX=clang++-19 CC="clang-19 -fsanitize=thread -mllvm -tsan-instrument-memintrinsics=0" OMP_TOOL_LIBRARIES=$(ARCHER) SLUICE_CXXFLAGS="-fsanitize=thread -g1 -mllvm -tsan-instrument-memintrinsics=0"
tsan: $(VENV)/ready
	cmake --preset tsan
	cmake --build build/tsan
	$(if $(ARCHER),,@echo "no clang-19 with libomp-19-dev and libclang-rt-19-dev: programs that tests compile are run by one thread and not looked at")
	$(THREAD_SANITIZER) $(if $(ARCHER),$(PROGRAMS_BY_CLANG),OMP_NUM_THREADS=1) ctest --test-dir build/tsan --output-on-failure -j 2

tsan-programs: build
	CXX=clang++-19 SLUICE_CXXFLAGS="-fsanitize=thread -g1" TSAN_OPTIONS=ignore_noninstrumented_modules=1 \
	OMP_TOOL_LIBRARIES=$(shell clang++-19 -print-file-name=libarcher.so) SLUICE_CACHE=build/tsan-programs/cache \
	$(RELEASE)/bin/sluice fuzz --passes none --sanitize none --threads 4 --time $(or $(FUZZ_SECONDS),600) -o build/tsan-programs

# Ten minutes for each target unless FUZZ_SECONDS says otherwise; SAMPLES is a folder of .sdfg files to begin with.
fuzz: build
	cmake --preset fuzz
	cmake --build build/fuzz --target fuzz_text fuzz_sdfg_json fuzz_python_subset fuzz_programs
	tests/fuzz_targets/run.py --seconds $(or $(FUZZ_SECONDS),600) $(if $(SAMPLES),--samples $(SAMPLES))

clean:
	rm -rf build
