# Programs give the same results after each pass to loops and memory, in the interpreter, which
# keeps to the places that the passes give arrays.  Programs with derivatives are left out: they
# are gone before these passes.  A third of the programs, after each commit another one (FULL=1: all).
tests=$(cd "$(dirname "$0")/.." && pwd)
. "$(dirname "$0")/lib.sh"

cp -R "$tests/lang" "$tests/prelude" .
. "$tests/share.sh"
shares=3
[ -z "$FULL" ] || { shares=1; SHARE=1; }
choose_share $shares >/dev/null || exit 1
programs=$(programs_of_share $shares lang prelude | xargs grep -LE 'jvp|vjp')

check_after() {
	about "after $1"
	# shellcheck disable=SC2086
	run raido test -i --no-terminal --after="$1" $programs
	exits 0
}

passes=
for pass in seq drop_copies place shortcircuit reuse hoist_alloc double_buffer stack_alloc release; do
	passes=${passes:+$passes,}$pass
	check_after "$passes"
done
check_after "soac,seq,simplify,cse,hoist,simplify,dce,split_loops,strip_rows,${passes#seq,},split_functions"

# Derivatives, without the pass that makes scalars of small arrays: they are small in most tests.
cp -R "$tests/ad" .
programs=$(programs_of_share $shares ad)
check_after "inline_calls,simplify,differentiate,simplify,cse,hoist,fuse,simplify,seq,simplify,dce,split_loops,strip_rows,${passes#seq,},split_functions"
finish
