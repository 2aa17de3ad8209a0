#!/bin/sh
# Random programs at scale: tests/random/scale.sh MINUTES [DIR]
#
# Builds the generator and runs it on all processors for so many minutes (default 8), of which programs over
# the whole language get most, those over sizes a quarter, those with derivatives a tenth, and OpenCL, where there is
# a platform, a sixth.  Each part ends with a table, and the last line is `N passed, N failed`.  What fails is
# made smaller and left in DIR (default BUILD/found), with the tables.  No program is tried twice:
# seeds start at the time of day, or at SEED.
#
#   BUILD   where things are built (default build)
#   JOBS    batches at a time (default: the number of processors)
#   BATCH   programs of the language to a file (default 100)

cd "$(dirname "$0")/../.." || exit 1
minutes=${1:-8}
BUILD=${BUILD:-build}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
found=${2:-$BUILD/found}
seed=${SEED:-$(date +%s)000}
mkdir -p "$BUILD" "$found" || exit 1
if ! make -j"$jobs" BUILD="$BUILD" "$BUILD/random" >"$BUILD/scale.log" 2>&1; then
	tail -n 20 "$BUILD/scale.log"
	exit 1
fi
passed=0
failed=0
tables=$found/tables.txt
: >"$tables"

# part SHARE WAYS [OPTION...]: a share in percent of the minutes.
part() {
	share=$(awk "BEGIN { print $minutes * $1 / 100 }")
	ways=$2
	shift 2
	"$BUILD/random" --verbose --minutes="$share" --jobs="$jobs" --seed="$seed" \
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
	part 15 opencl --lang --batch=10
	seed=$((seed + 10000000))
fi
part "$rest" passes,c,multicore --lang --batch="${BATCH:-100}"
asan=,asan
echo 'int main(void) { return 0; }' >"$found/can.c"
if ! ${CC:-cc} -fsanitize=address,undefined -o "$found/can" "$found/can.c" 2>/dev/null || ! "$found/can"; then
	asan=
	echo "left out: there are no sanitizers" | tee -a "$tables"
fi
part 28 passes,c$asan --sizes --batch=50
part 12 stages,c --batch=10
echo
echo "Tables of all parts ($(uname -m), $jobs jobs):"
cat "$tables"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
