#!/bin/sh
# Lists lines over 100 columns (a tab reaches to the next multiple of 8), source files over 800
# lines, and EACH over what a call returns, which would be called again for each element; fails
# when there are any.  Then sums up each folder, unless -q is given.
set -eu
cd "$(dirname "$0")/.."

files=$(find src tools tests/unit fuzz -name '*.[ch]' -o -name '*.def' -o -name '*.sh' | sort)
status=0
for f in $files Makefile; do
	# Bytes that continue a UTF-8 character take no column.
	long=$(LC_ALL=C sed 's/[\x80-\xBF]//g' "$f" | LC_ALL=C expand |
		LC_ALL=C awk -v f="$f" 'length > 100 { print f ":" NR ": " length " columns" }')
	if [ -n "$long" ]; then
		echo "$long"
		status=1
	fi
	n=$(wc -l <"$f")
	if [ "$n" -gt 800 ]; then
		echo "$f: $n lines"
		status=1
	fi
done
# shellcheck disable=SC2086
if grep -nE 'EACH\([^,]+, *[a-z_]+, *[a-z_]+\([^()]*\)\)' $files; then
	status=1
fi
[ "${1:-}" != -q ] || exit $status
for dir in src/*/ tools/ tests/unit/; do
	find "$dir" -name '*.[ch]' -o -name '*.def' | sort | xargs -r cat | wc -l |
		awk -v d="$dir" '{ printf "%6d %s\n", $1, d }'
done
exit $status
