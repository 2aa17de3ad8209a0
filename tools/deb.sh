#!/bin/sh
# Makes a Debian package of what is built; `make deb` calls it.
#
#	tools/deb.sh BUILD [zlib]
#
# With `zlib` the program was built with that library, and the package depends on it.
set -eu
[ $# -ge 1 ] || { sed -n 's/^# *\t//p' "$0" >&2; exit 2; }
command -v dpkg-deb >/dev/null || { echo "make deb: dpkg-deb is missing" >&2; exit 1; }
top=$(cd "$(dirname "$0")/.." && pwd)
build=$1
root=$build/deb
version=$("$build/raido" --version | sed -n '1s/^[^ ]* //p')
architecture=$(dpkg --print-architecture)
package=$build/raido_${version}_$architecture.deb
# The newest version of a symbol that the program takes from the C library.
libc=$(objdump -T "$build/raido" 2>/dev/null |
	sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p' | sort -V | tail -1)
rm -rf "$root"
"$top/tools/install.sh" "$build" "$root/usr"
strip "$root/usr/bin/raido" 2>/dev/null || true
mv "$root/usr/share/doc/raido/LICENSE" "$root/usr/share/doc/raido/copyright"
gzip -9n "$root"/usr/share/man/man1/*.1
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: raido
Version: $version
Architecture: $architecture
Maintainer: The Raido authors <raido@localhost>
Installed-Size: $(du -ks "$root/usr" | cut -f1)
Depends: libc6${libc:+ (>= $libc)}${2:+, zlib1g}
Recommends: gcc | c-compiler, libc6-dev
Suggests: ocl-icd-opencl-dev
Section: devel
Priority: optional
Description: compiler for the data-parallel language Futhark
 Compiles programs of Futhark, with derivatives of functions, to C, to C with
 threads, and to OpenCL and CUDA; with an interpreter, tests, benchmarks, a
 formatter and a language server.
END
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
rm -rf "$root"
echo "$package"
