#!/bin/sh
# Rules that pay only from some size on give what the others give: with RAIDO_EAGER they fire in small
# programs, on small arrays (src/base/thresholds.def).  A share of tests/ad after each commit, with all
# thresholds low, and with another half of them each time; FULL=1: all programs.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
. "$root/tests/share.sh"
CFLAGS='-O0 -std=c11 -w -DRD_LEAST_WORK=2'
OMP_NUM_THREADS=3
export CFLAGS OMP_NUM_THREADS

about "a threshold that is not there"
echo 'entry main = 1i32' >one.fut
run env RAIDO_EAGER=split_function,nothing "$RAIDO" c --library one.fut
complains 'RAIDO_EAGER: there is no threshold "nothing"'

# sums_at_edges: maps over products of sizes that wrap around have no nests of as many rows.
# redomap: reductions with a start that is not neutral.
except='sums_at_edges|fd/redomap'
# programs SHARES: some of tests/ad
programs() {
	[ -z "$FULL" ] || { set -- 1; SHARE=1; }
	(cd "$root" && choose_share "$1" >&2 && programs_of_share "$1" "$root/tests/ad") |
		grep -Ev "/lib/|$except"
}

# check THRESHOLDS PROGRAMS OPTION...
check() {
	about "RAIDO_EAGER=$1 $3 $4"
	thresholds=$1 list=$2
	shift 2
	# shellcheck disable=SC2086
	run env RAIDO_EAGER="$thresholds" "$RAIDO" test --no-terminal "$@" $list
	case $(printf '%s\n' "$out" | tail -n 1) in *" passed, 0 failed") ok ;; *) not_ok "programs failed" ;; esac
}

some=$(programs 40 2>/dev/null)
few=$(programs 120 2>/dev/null)
seed=$(cd "$root" && git rev-list --count HEAD 2>/dev/null || echo 1)
for thresholds in all "$seed"; do
	check "$thresholds" "$some" -i --after=sequential,c,split_functions
	check "$thresholds" "$some $root/tests/ad/updates/kept_reads.fut" -i --after=soac,gpu
done
check all "$few" --backend=multicore
finish
