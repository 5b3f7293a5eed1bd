# Two commands do everything on a bare Debian 12 machine: `make run` and `make test`. The build itself is CMake's.
JOBS ?= $(shell nproc)

.PHONY: help run test quick build setup bench bits fuzz soak soak-python sweeps solvers load docs format tidy package python windows clean asan tsan clang coverage memcheck
.DEFAULT_GOAL := help

help:
	@echo "make run     set up, build, start the trainer and print its address (SCENE=scenes/flagship.yaml: run that, with a report)"
	@echo "make test    set up, build, run every test"
	@echo "make quick   while working: debug build and unit tests, under a minute after a change of one file"
	@echo "make build   set up and build build/hawser"
	@echo "make bench   benchmarks beside their peers"
	@echo "make bits    the same bits from gcc and clang, -O0 to -O3, with and without AVX2, on AArch64"
	@echo "make fuzz    explore with fuzzers, random inputs to the parsers and the server (SECONDS_EACH=600 to change the time)"
	@echo "make soak    a thousand random assemblies, 20 s each, 250 whose bodies touch, 2,000 with extreme values"
	@echo "make sweeps  a hundred random routes in a jacket: windings of the tether, ways home that free it, looks ahead"
	@echo "make solvers  what the reference solver costs beside the built-in one on every scene: docs/solvers.md"
	@echo "make load    48 pilots on tethers of 150 m, half of them wound, and 4 instructors on one server: processor time, lateness of frames"
	@echo "make soak-python   a million steps in Python without a leak, two threads"
	@echo "make windows library and program cross-built for Windows, tried under wine"
	@echo "make python  the Python package as a wheel in build/python/dist (PYTHON=/usr/bin/python3 to choose another)"
	@echo "make package .deb and .tar.gz in build/packages"
	@echo "make format tidy   put C files into their format; clang-tidy's checks that matter"
	@echo "make docs    reference manual, scene reference, validation page, pictures"
	@echo "make asan tsan clang coverage memcheck   the tests under other compilers and checkers"
	@echo "make clean   remove what was built"

setup:
	@tools/setup.sh test

build: setup
	@cmake --preset release > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@cmake --build build -j $(JOBS)

# Only what running needs: no browser, no peers, no checkers.
run:
	@tools/setup.sh run
	@mkdir -p build && { cmake --preset run > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }; }
	@cmake --build build -j $(JOBS) --target hawser-cli
	@tools/run.sh $(SCENE)

test: build
	@tools/test.sh

# Unit tests of all modules but whole worlds, server and page.
quick:
	@mkdir -p build-quick && { cmake --preset quick > build-quick/configure.log 2>&1 || { cat build-quick/configure.log; tools/setup.sh test; cmake --preset quick; }; }
	@cmake --build build-quick -j $(JOBS) --target unit_tests -- --no-print-directory -s
	@ctest --test-dir build-quick -L unit -LE slow --output-on-failure -j $(JOBS) | tail -n 15

bench: build
	@build/hawser bench

# One configuration more than make test has: gcc -O3 with AVX2, as the release build.
bits: setup
	@tools/bits.sh gcc-O0 gcc-O2 gcc-O3-avx2 clang-O0 clang-O2-avx2 aarch64-O2

fuzz: setup
	@tools/fuzz.sh explore $${SECONDS_EACH:-300}

soak: build
	@status=0; HAWSER_SOAK=1000 build/test/world_random_assemblies || status=1; \
	HAWSER_SOAK=250 HAWSER_SOAK_FIRST=100000 build/test/world_random_assemblies || status=1; \
	HAWSER_SOAK_EXTREME=2000 build/test/world_random_assemblies || status=1; exit $$status

# What is known of a tether on a hundred random routes in a jacket, about half an hour of one core.
sweeps: build
	@status=0; HAWSER_SWEEP_ROUTES=100 build/test/world_routes || status=1; \
	HAWSER_SWEEP_HOMES=100 build/test/world_way_home || status=1; \
	HAWSER_SWEEP_LOOKS=100 build/test/world_look_ahead || status=1; exit $$status

# Processor time of both solvers on every shipped scene, about ten minutes of one core.
solvers: build
	@python3 tools/solvers.py build/hawser --write docs/solvers.md

# A class on one server. Lateness says something on an idle machine only, processor time everywhere.
load: build
	@python3 tools/class_load.py build/hawser

# A million steps in Python without a leak, two threads beside each other.
soak-python: build
	@PYTHONPATH=build/python PYTHONDONTWRITEBYTECODE=1 $(or $(PYTHON),/usr/bin/python3) bindings/python/tests/soak.py

docs: build
	@tools/docs.sh

package: build
	@tools/package.sh build build/packages

python:
	@tools/setup.sh python
	@mkdir -p build && { cmake --preset run $(if $(PYTHON),-DHAWSER_PYTHON=$(PYTHON)) > build/configure.log 2>&1 || { cat build/configure.log; exit 1; }; }
	@cmake --build build -j $(JOBS) --target python-package
	@tools/python_wheel.sh $(or $(PYTHON),/usr/bin/python3) build/python $(CURDIR)/build/python/dist
	@ls build/python/dist/*.whl

# Without what mingw-w64 has no libraries for; the program says what that is.
windows:
	@tools/setup.sh windows
	@tools/windows.sh

tidy:
	@tools/setup.sh tidy
	@tools/tidy.sh

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

asan tsan clang coverage: setup
	@cmake --preset $@ > /dev/null
	@cmake --build --preset $@ -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)

memcheck: setup
	@tools/memcheck.sh

clean:
	rm -rf build build-*
