#!/bin/sh
# The command lsp, by a small editor in Python.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

run raido lsp </dev/null
silent
exits 1
run python3 "$root/tests/cli/lsp.py" "$RAIDO"
says '^[0-9]+ passed, 0 failed$'
exits 0
finish
