#!/bin/sh
# The command lsp, by a small editor in Python: every request, and all of them on broken programs.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

run raido lsp </dev/null
silent
exits 1
about "requests"
run python3 "$root/tests/cli/lsp.py" "$RAIDO"
says '^[0-9]+ passed, 0 failed$'
exits 0
about "broken programs"
sh "$root/bench/gen_program.sh" 60 > gen.fut
run python3 "$root/tests/cli/lsp_broken.py" "$RAIDO" "${LSP_BROKEN:-300}" gen.fut \
	"$root/examples/gradient.fut" "$root/examples/sparse.fut" "$root"/tests/lang/modules/*.fut
says '^[0-9]+ passed, 0 failed$'
exits 0
finish
