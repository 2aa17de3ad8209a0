#!/bin/sh
# Every block of code in the documents is run by a test: by this one, or by the one that the table below
# names.  A block of a kind that is not in the table is a failure, and so is one without a language.
#
# Kinds are the languages of ``` blocks; `file` is a program or a C file whose first line is a comment with
# its name.  Blocks of kind `text` (drawings, grammars, numbers that were measured) are not run.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
unset MAKEFLAGS MAKELEVEL

# document, kinds, test
table='
README.md file console python: docs.sh
README.md sh: blocks.sh bare.sh
docs/tutorial.md file console python futhark: docs.sh
docs/cookbook.md file console: docs.sh
docs/guide.md file console: docs.sh
docs/performance.md file: docs.sh
docs/performance.md sh: blocks.sh
docs/tools.md file console: docs.sh
docs/architecture.md file console: docs.sh
docs/ad.md file console futhark: docs.sh
docs/c-api.md file console c: docs.sh
docs/reliability.md file console: docs.sh
docs/errors.md futhark: docs.sh
docs/python.md python file: docs.sh python_gpu.sh
docs/python.md sh: bare.sh
docs/core.md core: blocks.sh
docs/editors.md sh vim lua elisp toml: blocks.sh
docs/gpu.md sh: blocks.sh
'

# kinds DOCUMENT: the line and the kind of each block.
kinds() {
	awk '
	/^ *```/ {
		if (open) { open = 0; blank = 0; next }
		open = 1; kind = $0; sub(/^ *```/, "", kind); line = NR
		getline
		if (kind == "futhark" && $0 ~ /^-- [a-z_0-9]+\.fut$/ || kind == "c" && $0 ~ /^\/\/ [a-z_0-9]+\.c$/)
			kind = "file"
		print line, kind == "" ? "(none)" : kind
		next
	}
	open { next }
	/^(    |\t)/ && blank { print NR, "(indented)" }
	{ blank = $0 == "" }' "$root/$1"
}

# blocks DOCUMENT KIND: writes its blocks of that language as KIND.1, KIND.2, ...
blocks() {
	awk -v kind="$2" '
	/^ *```/ { if (on) { on = 0; next } on = 1; mine = $0 ~ "^ *```" kind "$"; n += mine; next }
	on && mine { print >(kind "." n) }' "$root/$1"
}

about "blocks that no test runs"
for document in README.md SECURITY.md examples/README.md editors/README.md $(cd "$root" && ls docs/*.md); do
	mine=" $(printf '%s' "$table" | sed -n "s,^$document \(.*\):.*,\1,p" | tr '\n' ' ') text "
	kinds "$document" >found
	while read -r line kind; do
		ran=$document:$line out=$kind err= code=0
		case $mine in *" $kind "*) ok ;; *) not_ok "a block of a kind that no test runs" ;; esac
	done <found
	for kind in $mine; do
		ran=$document
		if [ "$kind" = text ] || grep -q " $kind\$" found; then ok; else not_ok "has no block of kind $kind"; fi
	done
done
printf '%s' "$table" | sed -n 's/^\([^ ]*\) .*: /\1 /p' | while read -r document tests; do
	for test in $tests; do
		ran="$document by $test"
		if cat "$root"/tests/cli/"$test" "$root"/tests/"$test" 2>/dev/null | grep -q "$document"; then ok
		else not_ok "that test does not name the document"; fi
	done
done

# The pages of examples are made from programs, which are run (examples.sh); each line of their code
# is one of the program.
about "pages of examples"
for page in "$root"/examples/*.md; do
	program=${page%.md}.fut
	[ -f "$program" ] || continue
	awk '/^```/ { on = !on && /futhark/; next } on && /./' "$page" >lines
	run grep -vxF -f "$program" lines
	is ''
	[ -s lines ] || not_ok "no code in $page"
done

# Each block of docs/core.md is a program, or statements after which these names mean something.
context='
fun keep (n: i64, xs: [n]f64) : (k: i64, ys: [k]f64) = {n, xs}

fun main (n: i64, m: i64, nm: i64, k: i64, i: i64, j: i64, last: i64, c: bool, inside: bool, tag: i8,
  a: f64, b: f64, x: f64, x0: f64, y: f64, xs: *[n]f64, ys: [m]f64, as: *[n]f64, xss: [n][m]f64,
  zs: [m]f64, zeros: *[k]f64, none: *[k]i32, is: [n]i64, vs: [n]f64, bins: [n]i64, ks: [n]i64) : () = {
let (ok: cert) = assert inside ("wrong")
'
about "docs/core.md"
blocks docs/core.md core
n=1
while [ -f core.$n ]; do
	{
		if grep -q '^fun ' core.$n; then
			cat core.$n
		else
			if grep -q 'mem\.' core.$n; then printf 'stage mem\nfun main (n: i64) : () = {\n'
			else printf '%s' "$context"; fi
			cat core.$n
			echo 'in }'
		fi
	} >block.core
	run raido dev block.core
	exits 0
	n=$((n + 1))
done
ran=core out=$n
if [ $n -gt 30 ]; then ok; else not_ok "too few blocks found"; fi

# A tool that is not here is said to be missing, and its checks are left out.
has() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "blocks.sh: no $1, its checks are left out"
	return 1
}

about "docs/editors.md"
blocks docs/editors.md sh
for b in sh.1 sh.2; do
	run sh -c "cd '$root' && . '$work/$b'"
	exits 0
	silent
done
run ls .vscode/extensions/raido-futhark/package.json .vim/pack/raido/start/futhark/syntax/futhark.vim
exits 0
echo 'def f (x: f64) = x' >program.fut
blocks docs/editors.md vim
# The package of the shell block, and a plugin that registers servers.
cat >try.vim <<'END2'
set nocompatible packpath=~/.vim
filetype plugin indent on
function! Register(server)
	let g:server = a:server
endfunction
END2
sed 's/lsp#register_server/Register/' vim.1 >>try.vim
cat >>try.vim <<'END2'
doautocmd User lsp_setup
packloadall
edit program.fut
call writefile([&filetype, g:server.name, join(g:server.cmd), join(g:server.allowlist)], 'found')
quitall!
END2
if has vim && vim --version | grep -q '+eval'; then
	run timeout 60 vim -es -u try.vim -i NONE
	run cat found
	is 'futhark
raido
raido lsp
futhark'
fi
blocks docs/editors.md lua
cat >try.lua <<'END2'
vim = { lsp = { config = function(name, c) print(name, table.concat(c.cmd, " "), c.filetypes[1], #c.root_markers) end,
  enable = function(name) print("enable", name) end } }
END2
if has lua; then
	run sh -c 'cat lua.1 >>try.lua && lua try.lua'
	is 'raido	raido lsp	futhark	2
enable	raido'
fi
blocks docs/editors.md elisp
if has emacs; then
	{
		echo "(defun eglot-ensure () (princ \"started\\n\"))"
		echo "(defvar eglot-server-programs nil)"
		sed "s,/usr/local/share/raido,$root," elisp.1
		echo "(provide 'eglot) (find-file \"program.fut\")"
	} >try.el
	run timeout 60 emacs -Q --batch -l try.el \
		--eval '(with-current-buffer "program.fut" (princ (format "%s %s" major-mode eglot-server-programs)))'
	is 'started
raido-futhark-mode ((raido-futhark-mode raido lsp))'
fi
blocks docs/editors.md toml
if has python3 && python3 -c 'import tomllib' 2>/dev/null; then
	run python3 -c 'import tomllib
t = tomllib.load(open("toml.1", "rb"))
l = t["language"][0]
s = t["language-server"][l["language-servers"][0]]
print(l["name"], l["file-types"], s["command"], s["args"])'
	is "futhark ['fut'] raido ['lsp']"
fi

# In a folder like the checkout, whose build directory is that of the program to be tested.
about "README.md"
mkdir checkout
for entry in "$root"/*; do
	[ "$(basename "$entry")" = build ] || ln -s "$entry" checkout/
done
ln -s "$(dirname "$RAIDO")" checkout/build
cd checkout || exit 1
blocks README.md sh
if ! make -q all >/dev/null 2>&1; then
	echo "blocks.sh: the build is not up to date, the commands of README.md are left out"
else
	run sh -c "$(grep -v 'make check' sh.1)"
	exits 0
	says 'gradient\.fut'
	says '^ *14\.0f64'
fi
run make -n check
exits 0
cd "$work" || exit 1

about "docs/performance.md"
mkdir bin speed && ln -s "$RAIDO" bin/raido
PATH=$work/bin:$PATH
cd speed || exit 1
blocks docs/performance.md sh
awk '/^```futhark/ { getline; on = $0 == "-- speed.fut" } /^```$/ { on = 0 } on' "$root/docs/performance.md" >speed.fut
run sh -e -c "$(sed 's/raido bench/& --quick/' sh.1)"
exits 0
says '^\[100000\]f64 \[100000\]f64: +[0-9]+μs'
says 'Loop at speed\.fut:[0-9]+'
cd "$work" || exit 1

about "docs/gpu.md"
mkdir fake && cd fake || exit 1
ln -s "$root/tests" tests
blocks docs/gpu.md sh
echo 'entry main (xs: []i32) = map (+ 1) xs' >prog.fut
if has g++; then
	in='[1, 2, 3]'
	run sh -e sh.1
	exits 0
	is '[2i32, 3i32, 4i32]'
fi
cd "$work" || exit 1
finish
