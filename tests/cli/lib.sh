# Helpers for the tests of the command line.
#
#   about "dataset"                 names what the next checks are about
#   run COMMAND...                  runs it: $out, $err, $code; standard input from $in
#   is TEXT                         standard output is TEXT, exactly
#   says PATTERN                    standard output has a line matching the extended regex
#   complains PATTERN               standard error has such a line
#   silent                          nothing on either
#   exits CODE
#   ok / not_ok REASON              the outcome of a check of another kind
#   finish                          prints `N passed, N failed`
#
# Scripts run in a directory of their own, which is removed at the end.

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
HOME=$work
export HOME
script=$(basename "$0")
in=
subject=

raido() {
	"$RAIDO" "$@"
}

about() {
	subject=$1
}

run() {
	ran=$*
	printf '%s' "$in" | "$@" >.out 2>.err
	code=$?
	out=$(cat .out)
	err=$(cat .err)
	in=
}

# Outcomes are kept in a file, so that those of subshells count too.
result() {
	echo "$1" >>"$work/.outcomes"
	[ "$1" = ok ] && return
	echo "$script: $subject: $ran"
	echo "  $2"
	printf '  output:\n%s\n  errors:\n%s\n  exit code %s\n' "$out" "$err" "$code"
}

is() {
	if [ "$out" = "$1" ]; then result ok; else result no "expected output: $1"; fi
}

says() {
	if printf '%s\n' "$out" | grep -Eq -e "$1"; then result ok; else result no "expected output: $1"; fi
}

complains() {
	if printf '%s\n' "$err" | grep -Eq -e "$1"; then result ok; else result no "expected complaint: $1"; fi
}

silent() {
	if [ -z "$out$err" ]; then result ok; else result no "expected silence"; fi
}

exits() {
	if [ "$code" -eq "$1" ]; then result ok; else result no "expected exit code: $1"; fi
}

ok() {
	result ok
}

not_ok() {
	result no "$*"
}

finish() {
	echo "$(grep -c ok "$work/.outcomes") passed, $(grep -c no "$work/.outcomes") failed"
}
