# Manual pages and completions made of the texts of --help, what `make install` installs and
# `make uninstall` removes, the Debian package.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

mkdir build
cp "$RAIDO" build/raido
commands=$(raido --help | awk '/^Commands:/ { on = 1 } /^Options:/ { on = 0 } on && /^  [a-z]/ { print $1 }')

has() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "install.sh: no $1, its checks are left out"
	return 1
}

about "manual pages and completions"
run "$root/tools/share.sh" build/raido build/share
exits 0
silent
for c in $commands; do
	run cat "build/share/man1/raido-$c.1"
	says '^\.SH OPTIONS$'
	for file in raido.bash raido.fish _raido; do
		run grep -Ewq "$c" "build/share/$file"
		exits 0
	done
	# Every option of the command is in its page and in the completions.
	raido "$c" --help | grep -Eo '^ +(-[a-zA-Z], )?--[A-Za-z0-9-]+' | grep -Eo '[-][-].*' >options
	while read -r option; do
		run grep -Fq -e "$(printf %s "$option" | sed 's/-/\\-/g')" "build/share/man1/raido-$c.1"
		exits 0
		run grep -Eq -e "^	$c\).*$option[= \"]" build/share/raido.bash
		exits 0
		run grep -Fq -e "from $c\"" build/share/raido.fish
		exits 0
	done <options
done
if has groff; then
	run groff -man -ww -z build/share/man1/*.1
	exits 0
	silent
fi
if has zsh; then
	run zsh -n build/share/_raido
	exits 0
	silent
fi
if has fish; then
	run fish -n build/share/raido.fish
	exits 0
	silent
fi

about "completion in bash"
cat >try.bash <<'END'
. build/share/raido.bash
complete_words() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	_raido 2>/dev/null
	echo "${COMPREPLY[@]}"
}
complete_words raido mul
complete_words raido fmt --ch
complete_words raido c --entry
complete_words raido check try.b
END
if has bash; then
	run bash try.bash
	is 'multicore
--check
--entry-point=
try.bash'
fi

about "install"
run "$root/tools/install.sh" build dest/usr
exits 0
silent
for file in bin/raido share/man/man1/raido.1 share/man/man1/raido-fmt.1 \
	share/bash-completion/completions/raido share/zsh/site-functions/_raido \
	share/fish/vendor_completions.d/raido.fish share/doc/raido/README.md \
	share/doc/raido/tutorial.md share/raido/editors/vim/syntax/futhark.vim \
	share/raido/editors/vscode/package.json share/raido/editors/tree-sitter/grammar.js \
	share/raido/editors/emacs/raido-futhark-mode.el; do
	run test -s "dest/usr/$file"
	exits 0
done
run dest/usr/bin/raido --version
exits 0
run make -n -C "$root" install DESTDIR=/some/where PREFIX=/usr
says 'tools/install\.sh .*"/some/where/usr"'

about "uninstall"
touch dest/usr/bin/other
run "$root/tools/install.sh" --remove dest/usr
exits 0
run find dest -type f
is 'dest/usr/bin/other'

about "Debian package"
if has dpkg-deb; then
	run "$root/tools/deb.sh" build zlib
	exits 0
	says '^build/raido_[0-9.]+_[a-z0-9]+\.deb$'
	package=$out
	run dpkg-deb -c "$package"
	says ' root/root .* \./usr/bin/raido$'
	says ' \./usr/share/man/man1/raido-c\.1\.gz$'
	says ' \./usr/share/doc/raido/copyright$'
	run dpkg-deb -f "$package"
	says '^Package: raido$'
	says '^Depends: libc6.*zlib1g'
	run dpkg-deb -x "$package" unpacked
	run unpacked/usr/bin/raido --version
	exits 0
fi
finish
