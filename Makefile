# A thin layer over CMake, Ninja and scripts/; see README.md.
#
#   make                 build (packages: scripts/setup.sh)     make demo          packages, build, prove, verify
#   make test            packages, build, every test            make test-interop  other implementations judge ours
#   make install         with DESTDIR and PREFIX                make deb           a Debian package
#   make clang           compile with clang, warnings as errors make fuzz          FUZZ_SECONDS for each parser
#   make bench-check     ratios against bench/baseline.json    make report        build/report/index.html, with figures
#   make compare-blst    build/bin/compare-blst: us beside blst make test-aarch64  the arithmetic for aarch64, under qemu
#   make host-bundle     the same and more, for a measurement on another machine (scripts/bench-host.sh)
BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

all: $(BUILD)/build.ninja
	ninja -C $(BUILD)

$(BUILD)/build.ninja:
	cmake -S . -B $(BUILD) -G Ninja

setup:
	scripts/setup.sh build test

demo:
	scripts/demo.sh $(BUILD)

test:
	scripts/test.sh $(BUILD)

test-interop:
	scripts/setup.sh build test demo interop
	$(MAKE) all
	scripts/test-interop.sh $(BUILD)

clang:
	scripts/setup.sh build test fuzz
	CC=clang-14 cmake -S . -B $(BUILD)-clang -G Ninja -DCUZK_WERROR=ON
	ninja -C $(BUILD)-clang --quiet

fuzz:
	scripts/fuzz.sh $(BUILD)-fuzz $(FUZZ_SECONDS)

compare-blst:
	scripts/setup.sh build test compare
	cmake -S . -B $(BUILD) -G Ninja -DCUZK_BLST="$$(scripts/fetch-blst.sh $(BUILD)/blst)" > /dev/null
	ninja -C $(BUILD) compare-blst

bench-check: all
	$(BUILD)/bin/cuzk bench check --baseline bench/baseline.json

report: all
	$(BUILD)/bin/cuzk bench all -o $(BUILD)/report

host-bundle:
	scripts/pack-host.sh $(BUILD)

test-aarch64:
	scripts/test-aarch64.sh $(BUILD)-aarch64

install: all
	cmake --install $(BUILD) --prefix $(PREFIX)

deb: all
	scripts/make-deb.sh $(BUILD)

clean:
	rm -rf $(BUILD) $(BUILD)-aarch64 $(BUILD)-asan $(BUILD)-clang $(BUILD)-fuzz

.PHONY: all bench-check report setup demo test test-aarch64 test-interop clang fuzz compare-blst host-bundle install deb clean
