#!/bin/sh
# The command pkg, on repositories that take the place of those on the network.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

if ! git --version >/dev/null 2>&1; then
	echo "pkg.sh: skipped, there is no git"
	echo "0 passed, 0 failed"
	exit
fi
git config --global user.name Tester
git config --global user.email tester@example.com
git config --global init.defaultBranch main
git config --global "url.file://$work/repositories/.insteadOf" https://

# release PATH VERSION BODY REQUIREMENT...: a version of a package.
release() {
	dir=$work/repositories/$1
	mkdir -p "$dir/lib/$1"
	[ -d "$dir/.git" ] || git init -q "$dir"
	echo "$3" >"$dir/lib/$1/code.fut"
	printf 'package %s\nrequire {\n%s\n}\n' "$1" "$4" >"$dir/futhark.pkg"
	git -C "$dir" add . && git -C "$dir" commit -q -m "$2" && git -C "$dir" tag "v$2"
}
release example.com/u/base 0.1.0 'def one = 1i32' ''
release example.com/u/base 0.2.0 'def one = 2i32' ''
release example.com/u/base 0.10.0 'def one = 10i32' ''
release example.com/u/base 2.0.0 'def one = 200i32' ''
release example.com/u/top 1.0.0 'import "../base/code" def two = one' 'example.com/u/base 0.2.0'

mkdir project && cd project || exit 1
about "versions"
run raido pkg versions example.com/u/base
is '0.1.0
0.2.0
0.10.0'
run raido pkg versions example.com/u/base@2
is 2.0.0
run raido pkg versions example.com/u/nothing
exits 1
complains 'Cannot find the package example.com/u/nothing'

about "a package"
run raido pkg init example.com/me/mine
exits 0
is 'Created directory `lib/example.com/me/mine`.
Wrote `futhark.pkg`.'
run cat futhark.pkg
is 'package example.com/me/mine

require {
}'
run raido pkg init example.com/me/mine
exits 1

about "requirements"
run raido pkg add example.com/u/base 0.1.0
exits 0
says '^Added example.com/u/base 0\.1\.0\.$'
run raido pkg add example.com/u/top
exits 0
hash=$(git -C "$work/repositories/example.com/u/top" rev-parse HEAD)
run cat futhark.pkg
says "^  example.com/u/top 1\.0\.0 #$hash$"
run raido pkg sync
exits 0
is 'example.com/u/base 0.2.0
example.com/u/top 1.0.0'
echo 'import "lib/example.com/u/top/code" entry main = two' >prog.fut
run raido run prog.fut
is 2i32
run raido pkg check
exits 0
run raido pkg upgrade
says '^Upgraded example.com/u/base 0\.1\.0 => 0\.10\.0\.$'
run raido pkg sync
run raido run prog.fut
is 10i32
run raido pkg remove example.com/u/base
is 'Removed example.com/u/base 0.10.0.'
run raido pkg remove example.com/u/base
exits 1

about "layout"
printf -- '-- Mine.\nrequire { example.com/u/base   0.1.0   }' >futhark.pkg
run raido pkg fmt
silent
run cat futhark.pkg
is '-- Mine.
require {
  example.com/u/base 0.1.0
}'

about "mistakes"
printf 'require { example.com/u/base 0.1.0 #0123 }' >futhark.pkg
run raido pkg sync
exits 1
complains 'is commit [0-9a-f]+, but futhark.pkg says 0123\.$'
printf 'require {\n ../../evil 1.0.0 }' >futhark.pkg
run raido pkg sync
exits 1
complains '^futhark.pkg:2: expected the path of a package'
printf 'require {\n a.b/c 1.0 }' >futhark.pkg
run raido pkg check
exits 1
complains '^futhark.pkg:2: expected a version X\.Y\.Z, found "1\.0"'
run raido pkg add
exits 2
complains '"add" takes 1 to 2 arguments$'
rm futhark.pkg
run raido pkg sync
exits 1
complains 'futhark.pkg: No such file'
run raido pkg ad x/y
exits 2
complains 'did you mean "add"'
run raido pkg add ../x
exits 2
complains 'not the path of a package'
run raido pkg sync x/y
exits 2

# commit DIRECTORY VERSION: what lies in it is a version of a package.
commit() {
	[ -d "$1/.git" ] || git init -q "$1"
	git -C "$1" add . && git -C "$1" commit -q -m "$2" && git -C "$1" tag "v$2"
}

about "a package that is a link"
mkdir -p "$work/outside/docs" "$work/repositories/example.com/evil/a/lib/example.com/evil" "$work/b"
echo precious >"$work/outside/docs/thesis"
a=$work/repositories/example.com/evil/a
ln -s "$work/outside" "$a/lib/example.com/evil/a"
printf 'package example.com/evil/a\nrequire {\n  example.com/evil/a/docs 1.0.0\n}\n' >"$a/futhark.pkg"
commit "$a" 1.0.0
mkdir -p "$work/b/lib/example.com/evil/a/docs"
echo 'def x = 1' >"$work/b/lib/example.com/evil/a/docs/code.fut"
printf 'package example.com/evil/a/docs\nrequire {\n}\n' >"$work/b/futhark.pkg"
commit "$work/b" 1.0.0
cp -R "$work/b" "$a/docs"
printf 'require { example.com/evil/a 1.0.0 }' >futhark.pkg
run raido pkg sync
exits 1
complains 'example.com/evil/a 1\.0\.0 holds what is neither a file nor a directory'
run cat "$work/outside/docs/thesis"
is precious

about "links inside of a package"
release example.com/evil/c 1.0.0 'def x = 1' ''
c=$work/repositories/example.com/evil/c
mkdir "$c/lib/example.com/evil/c/deep"
ln -s /etc/passwd "$c/lib/example.com/evil/c/deep/data"
commit "$c" 1.1.0
printf 'require { example.com/evil/c 1.1.0 }' >futhark.pkg
run raido pkg sync
exits 1
complains 'example.com/evil/c 1\.1\.0 holds what is neither'
rm -r "$c/lib/example.com/evil/c/deep" "$c/lib"
ln -s "$work/b/lib" "$c/lib"
commit "$c" 1.2.0
printf 'require { example.com/evil/c 1.2.0 }' >futhark.pkg
run raido pkg sync
exits 1
complains 'example.com/evil/c 1\.2\.0 holds what is neither'
rm "$c/lib" "$c/futhark.pkg"
ln -s /etc/passwd "$c/futhark.pkg"
commit "$c" 1.3.0
printf 'require { example.com/evil/c 1.3.0 }' >futhark.pkg
run raido pkg sync
exits 1
complains '^futhark.pkg of example.com/evil/c is a symbolic link'

about "a link in the way"
mkdir -p lib
rm -rf lib/example.com
ln -s "$work/outside" lib/example.com
printf 'require { example.com/u/base 0.1.0 }' >futhark.pkg
run raido pkg sync
exits 1
complains '^lib/example.com is a symbolic link'
run ls "$work/outside"
is docs
finish
