# What passes leave of the programs in tests/core and tests/structure.  A program says so in
# comments:
#
#   -- structure PASS,..: FORM COUNT, ...      statements of these forms, in all bodies
#   -- depth PASS,..: FORM DEPTH, ...          how deep in loops and lambdas the deepest one is
tests=$(cd "$(dirname "$0")/.." && pwd)
. "$(dirname "$0")/lib.sh"

# What the output has for a form; 0 when it is not mentioned.
count() {
	n=$(printf '%s\n' "$out" | sed -n "s/^$1 \([0-9]*\).*/\1/p")
	echo "${n:-0}"
}

# What the output has as the depth of a form.
depth() {
	n=$(printf '%s\n' "$out" | sed -n "s/^$1 [0-9]* at \([0-9]*\)/\1/p")
	echo "${n:-none}"
}

# check KIND FILE LINE
check() {
	passes=${3%%:*}
	run raido dev --check=each --structure "$2" "$passes"
	if [ "$code" -ne 0 ]; then
		not_ok "fails"
		return
	fi
	printf '%s\n' "${3#*:}" | tr ',' '\n' | while read -r form want; do
		got=$($1 "$form")
		if [ "$got" = "$want" ]; then ok; else not_ok "$1 of $form: $got, expected $want"; fi
	done
}

for file in $(find "$tests/core" "$tests/structure" -name '*.fut' -o -name '*.core' | sort); do
	about "${file#"$tests"/}"
	for kind in structure depth; do
		sed -n "s/^-- $kind \(.*: .*\)/\1/p" "$file" >lines
		[ $kind = structure ] && kind=count
		while read -r line; do
			check $kind "$file" "$line"
		done <lines
	done
done
finish
