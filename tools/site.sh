#!/bin/sh
# The documentation as a static site: pages, examples with their pictures, the library reference.
#
#     tools/site.sh DIR
#
# Needs build/raido.  Whatever a page links to inside of the tree is copied.
set -eu
cd "$(dirname "$0")/.."
out=${1:?usage: tools/site.sh DIR}
raido=${RAIDO:-build/raido}
rm -rf "$out"
mkdir -p "$out"
pages="README.md docs/tutorial.md docs/guide.md docs/cookbook.md examples/README.md
docs/performance.md docs/python.md docs/c-api.md docs/tools.md docs/editors.md docs/coming-from.md
docs/errors.md docs/glossary.md docs/ad.md docs/language.md docs/differences.md docs/multicore.md
docs/gpu.md docs/reliability.md docs/measurements.md editors/README.md"
examples=$(ls examples/*.md | grep -v README)
others=$(ls docs/*.md HACKING.md CHANGES.md SECURITY.md tests/COVERAGE.md \
	bench/results/*.md bench/results/paper/*.md)
list=
for page in $pages $examples $others; do
	case " $list " in *" $page "*) ;; *) [ -e "$page" ] && list="$list $page" ;; esac
done
# shellcheck disable=SC2086
"$raido" doc -o "$out" $list /prelude
for page in $list; do
	dir=$(dirname "$page")
	links=$(grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | sort -u)
	for link in $links; do
		case $link in http* | *.md) continue ;; esac
		if [ -f "$dir/$link" ]; then
			mkdir -p "$out/$(dirname "$dir/$link")"
			cp "$dir/$link" "$out/$dir/$link"
		fi
	done
done
echo "$out/index.html"
