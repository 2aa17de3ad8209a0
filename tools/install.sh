#!/bin/sh
# Installs the program, manual pages, completions, documents and files for editors, or removes
# them; `make install` and `make uninstall` call it.
#
#	tools/install.sh BUILD PREFIX
#	tools/install.sh --remove PREFIX
set -eu
[ $# -eq 2 ] || { sed -n 's/^# *\t//p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
case $2 in /*) prefix=$2 ;; *) prefix=$PWD/$2 ;; esac
man=$prefix/share/man/man1
bash=$prefix/share/bash-completion/completions
zsh=$prefix/share/zsh/site-functions
fish=$prefix/share/fish/vendor_completions.d
doc=$prefix/share/doc/raido
data=$prefix/share/raido

if [ "$1" = --remove ]; then
	rm -f "$prefix/bin/raido" "$man/raido.1" "$man"/raido-*.1 "$bash/raido" "$zsh/_raido" \
		"$fish/raido.fish"
	rm -rf "$doc" "$data"
	exit
fi

build=$1
install -d "$prefix/bin" "$man" "$bash" "$zsh" "$fish" "$doc" "$data"
install -m 755 "$build/raido" "$prefix/bin/raido"
install -m 644 "$build"/share/man1/*.1 "$man"
install -m 644 "$build/share/raido.bash" "$bash/raido"
install -m 644 "$build/share/_raido" "$zsh/_raido"
install -m 644 "$build/share/raido.fish" "$fish/raido.fish"
install -m 644 "$top/README.md" "$top/CHANGES.md" "$top/LICENSE" "$top"/docs/*.md "$doc"
cd "$top"
find editors -type f ! -path '*/node_modules/*' ! -path '*/tree-sitter/src/*' |
	while read -r file; do
		install -d "$data/$(dirname "$file")"
		install -m 644 "$file" "$data/$file"
	done
