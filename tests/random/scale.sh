#!/bin/sh
# Random programs at scale: tests/random/scale.sh [MINUTES [DIR]]
#
# Builds the generator and runs it on all processors for so many minutes (default 8), of which programs over
# the whole language get most, those over sizes a quarter, those with derivatives a tenth, and OpenCL, where there is
# a platform, a sixth.  With COUNTS it runs exactly so many programs of each kind instead, and no others; a kind takes
# as long as it takes, or at most MINUTES where those are given:
#
#   COUNTS="lang=100000 sizes=20000" SEED=1 tests/random/scale.sh
#
# Each part ends with a table, and the last line is `N passed, N failed`.  What fails is made smaller and left in
# DIR (default BUILD/found), with the tables.  No program is tried twice: seeds start at the time of day, or
# at SEED, from where as many follow each other as there are programs of a kind (for OpenCL 10,000,000 later).
#
#   BUILD   where things are built (default build)
#   JOBS    batches at a time (default: the number of processors)
#   BATCH   programs of the language to a file (default 250)
#   COUNTS  programs of each kind: lang, sizes, derivatives, opencl

cd "$(dirname "$0")/../.." || exit 1
given=$1
minutes=${1:-8}
BUILD=${BUILD:-build}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
found=${2:-$BUILD/found}
seed=${SEED:-$(date +%s)000}
for c in $COUNTS; do
	case $c in
	lang=*[!0-9]* | sizes=*[!0-9]* | derivatives=*[!0-9]* | opencl=*[!0-9]*) bad=$c ;;
	lang=?* | sizes=?* | derivatives=?* | opencl=?*) ;;
	*) bad=$c ;;
	esac
done
if [ -n "$bad" ]; then
	echo "scale.sh: COUNTS has $bad, where lang=N, sizes=N, derivatives=N or opencl=N is expected" >&2
	exit 2
fi
mkdir -p "$BUILD" "$found" || exit 1
if ! make -j"$jobs" BUILD="$BUILD" "$BUILD/random" >"$BUILD/scale.log" 2>&1; then
	tail -n 20 "$BUILD/scale.log"
	exit 1
fi
passed=0
failed=0
tables=$found/tables.txt
: >"$tables"

# part KIND SHARE WAYS [OPTION...]: a share in percent of the minutes, or as many as COUNTS says.
part() {
	kind=$1
	limit=--minutes=$(awk "BEGIN { print $minutes * $2 / 100 }")
	ways=$3
	shift 3
	if [ -n "$COUNTS" ]; then
		count=$(for c in $COUNTS; do echo "$c"; done | sed -n "s/^$kind=//p")
		[ -n "$count" ] || return
		limit="--count=$count ${given:+--minutes=$given}"
	fi
	"$BUILD/random" --verbose $limit --jobs="$jobs" --seed="$seed" \
		--ways="$ways" "$@" "$found" >"$found/out"
	grep -Ev '^[0-9]+ passed, [0-9]+ failed$' "$found/out" | tee -a "$tables"
	counts=$(tail -n 1 "$found/out")
	case $counts in
	*' passed, '*' failed')
		passed=$((passed + ${counts%% *}))
		counts=${counts#*, }
		failed=$((failed + ${counts%% *}))
		;;
	*)
		echo "no counts: $ways $*"
		failed=$((failed + 1))
		;;
	esac
}

rest=60
if [ -n "$(ls /etc/OpenCL/vendors/*.icd 2>/dev/null)" ]; then
	rest=45
	first=$seed
	seed=$((seed + 10000000))
	part opencl 15 opencl --lang --batch=10
	seed=$first
fi
part lang "$rest" passes,c,multicore --lang --batch="${BATCH:-250}"
checked=asan                                    # the same code as c
echo 'int main(void) { return 0; }' >"$found/can.c"
if ! ${CC:-cc} -fsanitize=address,undefined -o "$found/can" "$found/can.c" 2>/dev/null || ! "$found/can"; then
	checked=c
	echo "left out: there are no sanitizers" | tee -a "$tables"
fi
part sizes 28 passes,$checked --sizes --batch=150
part derivatives 12 stages,c --batch=10
echo
echo "Tables of all parts ($(uname -m), $jobs jobs):"
cat "$tables"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
