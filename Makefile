# What people do in this repository. `make help` lists it; the work is done by cargo and `cargo xtask`.

.DEFAULT_GOAL := help
.PHONY: help run test check bench soak deps docs book install llm-check

TARGET := $(shell rustc -vV 2>/dev/null | sed -n 's/^host: //p')
PREFIX ?= $(HOME)/.local
BUILD := $(or $(CARGO_TARGET_DIR),target)
# Where homes are made that are measured and killed: /tmp may be memory, which syncs nothing.
ON_DISK = $(abspath $(BUILD))/tmp

# The commit that the manifest of a benchmark names; empty where there is no repository.
bench install: export INWIT_COMMIT := $(shell git describe --always --dirty --abbrev=12 2>/dev/null)

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

run:  ## show the sample agent: its prompt, and four searches
	@cargo run --quiet --package inwit-cli -- try

test: deps  ## everything a push must pass: tidy, format, lints, documents, tests
	@cargo xtask ci

check: test  ## the same, and advisories on dependencies where cargo-deny is installed
	@if cargo deny --version >/dev/null 2>&1; then cargo deny check advisories; \
	else echo "cargo-deny is not installed, so advisories were not looked up (cargo install cargo-deny)."; fi

bench:  ## measure this machine: the figures of docs/benchmarks.md as a table
	@cargo build --release --locked --package inwit-cli --package inwit-bench
	@mkdir -p $(ON_DISK)
	@TMPDIR=$(ON_DISK) $(BUILD)/release/inwit-bench $(BUILD)/release/inwit

soak:  ## run the long campaigns, over an hour: the table of docs/reliability.md
	@cargo build --release --locked --package inwit-soak --package inwit-testkit
	@mkdir -p $(ON_DISK)
	@TMPDIR=$(ON_DISK) $(BUILD)/release/inwit-soak $(if $(wildcard /usr/share/doc),--corpus /usr/share/doc)

llm-check:  ## ask a real language model one question, and about 30 conversations: PROVIDER=ollama MODEL=llama3.2 [URL=…] [API=…]
	@for task in 'llm check' 'bench extract crates/engine/testdata/review/dev.json --llm'; do \
	INWIT_LLM_PROVIDER=$(or $(PROVIDER),ollama) $(if $(MODEL),INWIT_LLM_MODEL=$(MODEL)) $(if $(URL),INWIT_LLM_URL=$(URL)) \
	$(if $(API),INWIT_LLM_API=$(API)) cargo run --quiet --package inwit-cli -- $$task || exit 1; done

deps:  ## look for what a build needs; only with CI=true is anything installed
	@.ci/deps

docs:  ## write docs/reference and docs/conformance.md from the tables
	@cargo xtask docs

book:  ## build the documentation as a web book into target/book (needs mdbook)
	@command -v mdbook >/dev/null 2>&1 || { \
	echo "mdbook is not installed. Install it with: cargo install mdbook" >&2; exit 1; }
	@mdbook build

install:  ## build one static binary, and put it and its man pages below PREFIX (default ~/.local)
	RUSTFLAGS='-C target-feature=+crt-static' cargo build --release --locked --target $(TARGET) --package inwit-cli
	install -D -m 755 $(BUILD)/$(TARGET)/release/inwit $(DESTDIR)$(PREFIX)/bin/inwit
	rm -rf $(BUILD)/man && cargo xtask man $(BUILD)/man
	install -d $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 $(BUILD)/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
