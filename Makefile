# The only build file.  `make` builds build/raido and needs a C compiler alone;
# `make check` is the whole test suite, `make dev` the same under sanitizers.

CC     = cc
BUILD  = build
PREFIX = /usr/local
CFLAGS = -O2 -g
FUZZ_SECONDS = 1200
JOBS  := $(shell nproc 2>/dev/null || echo 1)

WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes
# zlib lets test data be read compressed; it is used where its header is.
ZLIB    := $(shell echo '\#include <zlib.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo yes)
DEFINES  = -D_GNU_SOURCE $(if $(ZLIB),-DHAVE_ZLIB)
LIBS     = -lm -lpthread $(if $(ZLIB),-lz)
COMPILE  = $(CC) -std=c11 $(DEFINES) $(WARNINGS) $(CFLAGS) $(COLD_FLAGS) $(CPPFLAGS) -Isrc -Irts

SOURCES   = $(sort $(wildcard src/*/*.c))
OBJECTS   = $(SOURCES:src/%.c=$(BUILD)/%.o) $(BUILD)/prelude_data.o $(BUILD)/rts_data.o \
            $(BUILD)/docs_data.o
# Folders in which a compilation spends a tenth of its time or less all together: -O1 takes the
# C compiler two thirds of the time of -O2 for them.  Only where -O2 is asked for.
COLD       = ad check cli device lower loop mem pass thread
COLD_FLAGS =
$(filter $(COLD:%=$(BUILD)/%/%),$(OBJECTS)): \
	COLD_FLAGS = $(if $(filter -O2,$(CFLAGS)),-O1 -foptimize-sibling-calls)
PRELUDE   = $(sort $(wildcard prelude/*.fut prelude/*.fut.in))
# In the order in which generated programs have them.
RTS       = $(addprefix rts/,gpu/kernel.h gpu/warp.h $(addprefix c/,base.h half.h shortest.h \
              special.h vecmath.h int.h signed.h unsigned.h float.h vector.h lanes.h \
              vector_math.h axes.h product.h context.h) \
              gpu/device.h \
              $(addprefix c/,memory.h parallel.h shared.h show.h object.h stored.h timing.h) \
              $(addprefix gpu/,cache.h run.h opencl.h cuda.h nvrtc.h stream.h depend.h record.h) \
              $(addprefix gpu/,graph.h caller.h) \
              gpu/copy.h \
              c/api.h c/call.h gpu/config.h c/values.h c/options.h gpu/options.h \
              $(addprefix c/,cli.h server_vars.h server.h) gpu/builtin.h)
UNITS     = $(sort $(wildcard tests/unit/*.c))
UNITTESTS = $(UNITS:tests/unit/%.c=$(BUILD)/unit/%)
TARGETS   = $(filter-out fuzz/mutator.c fuzz/replay.c,$(sort $(wildcard fuzz/*.c)))
FUZZERS   = $(TARGETS:fuzz/%.c=$(BUILD)/bin/%)
REPLAYS   = $(TARGETS:fuzz/%.c=$(BUILD)/replay/%)
RANDOM    = $(sort $(wildcard tests/random/*.c))
RANDOM_COUNT = 5000
RANDOM_SEED  = 1

DEV_FLAGS  = -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
             -fno-sanitize-recover=undefined -DRAIDO_HOSTILE
FUZZ_FLAGS = -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
             -fno-sanitize-recover=undefined -DRAIDO_HOSTILE

all: $(BUILD)/raido

$(BUILD)/raido: $(BUILD)/main.o $(BUILD)/libraido.a
	@echo "ld $@"
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# Anew each time, so that objects of deleted sources do not linger in it.
$(BUILD)/libraido.a: $(OBJECTS)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/%.o: src/%.c
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(COMPILE) -MMD -MP -c -o $@ $<

# The tool runs while building and is compiled without the flags of what is built.
$(BUILD)/embed: tools/embed.c
	@mkdir -p $(@D)
	$(CC) -std=c11 $(WARNINGS) -O1 -o $@ $<

# The directory stands among the prerequisites for the sake of deleted files.
$(BUILD)/prelude_data.c: $(BUILD)/embed $(PRELUDE) prelude
	$(BUILD)/embed prelude $(PRELUDE) > $@.new
	mv $@.new $@

$(BUILD)/rts_data.c: $(BUILD)/embed $(RTS) Makefile
	$(BUILD)/embed rts $(RTS) > $@.new
	mv $@.new $@

$(BUILD)/docs_data.c: $(BUILD)/embed docs/errors.md
	$(BUILD)/embed docs docs/errors.md > $@.new
	mv $@.new $@

$(BUILD)/%_data.o: $(BUILD)/%_data.c src/base/embed.h
	$(COMPILE) -c -o $@ $<

$(BUILD)/unit/%: tests/unit/%.c $(BUILD)/libraido.a
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(COMPILE) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(BUILD)/libraido.a $(LIBS)

$(BUILD)/bin/%: fuzz/%.c fuzz/mutator.c fuzz/fuzz.h $(BUILD)/libraido.a
	@mkdir -p $(@D)
	$(COMPILE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $< fuzz/mutator.c $(BUILD)/libraido.a $(LIBS)

$(BUILD)/replay/%: fuzz/%.c fuzz/replay.c fuzz/fuzz.h $(BUILD)/libraido.a
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(COMPILE) $(LDFLAGS) -o $@ $< fuzz/replay.c $(BUILD)/libraido.a $(LIBS)

$(BUILD)/random: $(RANDOM) $(wildcard tests/random/*.h) $(BUILD)/libraido.a
	@echo "cc tests/random"
	@$(COMPILE) -Itests/random $(LDFLAGS) -o $@ $(RANDOM) $(BUILD)/libraido.a $(LIBS)

# What make knows of the machine is fixed when it starts, hence the second make.
check:
	@tools/deps.sh check
	@tools/layers.sh
	@tools/lines.sh -q
	@$(MAKE) --no-print-directory -j$(JOBS) test

# Flags given to make are for Raido, not for the programs it compiles.
test: $(BUILD)/raido $(UNITTESTS) $(REPLAYS) $(BUILD)/random
	@env -u CFLAGS RAIDO=$(BUILD)/raido tests/run

# Derivatives of random programs: interpreted, after each stage, and compiled.  What fails is made
# smaller and stays in the build directory.
random: $(BUILD)/random
	@mkdir -p $(BUILD)/found
	CFLAGS="-O0 -std=c11 -w" $(BUILD)/random --compiled --seed=$(RANDOM_SEED) \
	  --count=$(RANDOM_COUNT) $(BUILD)/found

demo:
	@tools/deps.sh
	@echo "Building $(BUILD)/raido (a few minutes at most) ..."
	@mkdir -p $(BUILD)
	@$(MAKE) --no-print-directory -j$(JOBS) all >$(BUILD)/demo.log 2>&1 || \
	  { cat $(BUILD)/demo.log; exit 1; }
	@RAIDO=$(BUILD)/raido examples/demo.sh

dev:
	@ASAN_OPTIONS=detect_leaks=0 $(MAKE) --no-print-directory -j$(JOBS) \
	  BUILD=$(BUILD)/dev CFLAGS="$(DEV_FLAGS)" test

# What takes hours: interpreting after each pass, generated code under the sanitizers.
nightly: dev all $(BUILD)/random
	@RAIDO=$(BUILD)/raido tests/nightly

fuzz:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/fuzz CC=clang CFLAGS="$(FUZZ_FLAGS)" fuzzers

# The time is shared out among the targets; what a target finds stays in the build directory.
fuzzers: $(FUZZERS)
	@set -e; seconds=$$(($(FUZZ_SECONDS) / $(words $(FUZZERS)))); \
	for f in $(FUZZERS); do n=$$(basename $$f); \
	  mkdir -p $(BUILD)/corpus/$$n fuzz/corpus/$$n; \
	  echo "$$n: $$seconds s"; \
	  $$f -max_total_time=$$seconds -timeout=10 -max_len=8192 -detect_leaks=0 \
	      -dict=fuzz/front.dict -artifact_prefix=$(BUILD)/ \
	      $(BUILD)/corpus/$$n fuzz/corpus/$$n; done

# The Python package, in build/python: see docs/python.md.
python: all
	@python/make.sh $(BUILD)/python $(BUILD)/raido

bench: all
	@RAIDO=$(BUILD)/raido bench/run

bench-compiler: all
	@RAIDO=$(BUILD)/raido bench/compiler

lines:
	@tools/lines.sh

layers:
	@tools/layers.sh

# The documentation as a static site.
site: all
	@tools/site.sh $(BUILD)/site

# Manual pages and completions, from the texts of --help.
share: all
	@tools/share.sh $(BUILD)/raido $(BUILD)/share

install: share
	@tools/install.sh $(BUILD) "$(DESTDIR)$(PREFIX)"

uninstall:
	@tools/install.sh --remove "$(DESTDIR)$(PREFIX)"

# A program that needs no libraries of the system it runs on.
static: all
	$(CC) $(CFLAGS) $(LDFLAGS) -static -o $(BUILD)/raido-static $(BUILD)/main.o \
	  $(BUILD)/libraido.a $(LIBS)

# build/raido_VERSION_ARCHITECTURE.deb
deb: share
	@tools/deb.sh $(BUILD) $(if $(ZLIB),zlib)

clean:
	rm -rf $(BUILD)

.PHONY: all check test random demo site dev nightly fuzz fuzzers bench bench-compiler lines layers \
        python share install uninstall static deb clean
.DELETE_ON_ERROR:

-include $(wildcard $(BUILD)/*.d $(BUILD)/*/*.d)
