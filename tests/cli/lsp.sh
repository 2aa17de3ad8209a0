#!/bin/sh
# The command lsp, by a small editor in Python: every request, all of them on broken programs, and after
# many changes.
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
about "while it is typed"
run python3 "$root/tests/cli/lsp_typed.py" "$RAIDO" "$root/examples/linear_regression.fut" \
	"$root/examples/option_greeks.fut"
says '^[0-9]+ passed, 0 failed$'
exits 0
about "changes"
cp "$root"/tests/lang/modules/open.fut "$root"/tests/lang/modules/shadowing.fut \
	"$root"/examples/gradient.fut .
printf 'import "lib"\nmodule m = import "lib"\ndef a (x: t) = f x\ndef b = a (g 1)\n' > main.fut
printf -- '-- | A number.\ntype t = {x: i32, y: f64}\ndef f (r: t) = r.x\ndef g i : t = {x = i, y = 0}\n' \
	> lib.fut
run python3 "$root/tests/cli/lsp_edits.py" "$RAIDO" "${LSP_EDITS:-7}" gen.fut main.fut lib.fut \
	gradient.fut open.fut shadowing.fut
says '^[0-9]+ passed, 0 failed$'
exits 0
finish
