#!/bin/sh
# Tests on a GPU back end: tests/gpu.sh opencl|cuda [PROGRAM-OR-DIRECTORY...]
#
# Runs programs with test blocks (a share of tests/ad, tests/gpu, tests/lang and tests/prelude; with FULL=1
# all), and the scripts of tests/gen and tests/gpu that are about such programs.  The last line is
# `N passed, N failed`.  Where there is no device it says `skipped`, and why.
#
# The share is another one after each commit, so that as many commits as there are shares try all programs;
# the first line says which it is, and SHARE=K tries the same programs again.
#
#   SHARES      how many shares there are (default 24)
#   SHARE       which one: 1 to SHARES (default: by the number of commits; 1 where git does not know)
#   JOBS        programs at a time (default: the number of processors)
#   OPTIONS     further options of `raido test`
#   OPTIMISED   not empty: PoCL optimises the kernels, as it does for users (some tests take ten times longer)
#   LIMIT       seconds that a compiled program may take (default 300)
#   OUT         a directory for what is said (`programs`: as it comes) and for the seconds that each
#               program ran (`times`)
#
# FULL=1 says once a minute how far it is.  With CUDA most of the time goes to compiling 15,000
# kernels; OPTIONS='-p --nvrtc-option=--Ofast-compile=max' makes that four times faster.  With PoCL it
# goes to PoCL's own work too: for a program its header and its library, for each kernel that runs
# LLVM's passes, which nothing can be told to leave out, and a linker.
cd "$(dirname "$0")/.." || exit 1
backend=${1:?which back end: opencl or cuda}
shift
RAIDO=${RAIDO:-build/raido}
case $RAIDO in /*) ;; *) RAIDO=$PWD/$RAIDO ;; esac
BACKEND=$backend
JOBS=${JOBS:-$(nproc 2>/dev/null || echo 1)}
CFLAGS=${CFLAGS:--O0 -w}
# Compiled kernels are kept from run to run.
XDG_CACHE_HOME=${XDG_CACHE_HOME:-$PWD/build/cache}
# PoCL takes seconds to optimise a kernel.
[ -n "$OPTIMISED" ] || POCL_EXTRA_BUILD_FLAGS=${POCL_EXTRA_BUILD_FLAGS:--cl-opt-disable}
export RAIDO BACKEND CFLAGS XDG_CACHE_HOME POCL_EXTRA_BUILD_FLAGS
mkdir -p "$XDG_CACHE_HOME"

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
out=${OUT:-$dir}

# Is there a device?
echo 'entry main (xs: []i32) = map (+ 1) xs' >"$dir/one.fut"
if ! "$RAIDO" "$backend" -o "$dir/one" "$dir/one.fut" >"$dir/said" 2>&1; then
	cat "$dir/said"
	echo "0 passed, 1 failed"
	exit 1
fi
if ! echo '[1i32, 2i32]' | "$dir/one" >"$dir/said" 2>&1; then
	# The second is PoCL's, which ends the program where it cannot see the machine (no /sys).
	if grep -q 'context initialisation\|Not enough memory to run on this device' "$dir/said"; then
		echo "skipped: $(sed -n 2p "$dir/said")"
		echo "0 passed, 0 failed"
		exit 0
	fi
fi

SHARES=${SHARES:-24}
. tests/share.sh

passed=0
failed=0
add_counts() {
	counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$1" | tail -n 1)
	if [ -z "$counts" ]; then
		echo "$2: gave no counts"
		failed=$((failed + 1))
		return
	fi
	passed=$((passed + ${counts%% *}))
	counts=${counts#*, }
	failed=$((failed + ${counts%% *}))
}

scripts=
if [ $# -eq 0 ]; then
	scripts="tests/gpu/device.sh tests/gpu/graphs.sh tests/gpu/options.sh tests/gpu/kernels.sh tests/gen/library.sh tests/gen/server.sh"
	EVERY=${EVERY:-10} # of the cases of checked mode
	export EVERY
	scripts="$scripts tests/gen/checked.sh"
	[ -z "$FULL" ] || scripts="$scripts tests/gen/executable.sh"
	if [ -n "$FULL" ]; then
		set -- tests/ad tests/lang tests/prelude tests/gpu # those that take longest first
	else
		if ! choose_share "$SHARES"; then
			echo "0 passed, 1 failed"
			exit 1
		fi
		# PoCL takes minutes to compile `irregular`, see tests/gpu/kernels.sh.
		set -- $(programs_of_share "$SHARES" tests/ad tests/gpu tests/lang tests/prelude |
			grep -v tests/gpu/irregular.fut)
	fi
fi

run_script() {
	sh "$1" >"$dir/$(basename "$1")" 2>&1
}
if [ "$JOBS" -gt 4 ]; then
	for s in $scripts; do run_script "$s" & done
fi

# PoCL links each kernel with `ld`; ld.gold saves a tenth of all its time.
if gold=$(command -v ld.gold); then
	mkdir "$dir/bin" && ln -s "$gold" "$dir/bin/ld"
fi

# Programs that hang are ended, and those that take long are known.
cat >"$dir/runner" <<R
#!/bin/sh
PATH=$dir/bin:\$PATH
start=\$(date +%s%N)
timeout -k 5 ${LIMIT:-300} "\$@"
code=\$?
end=\$(date +%s%N)
echo "\$(((end - start) / 1000000)) ms, exit code \$code: \$1" >>"$out/times"
exit \$code
R
chmod +x "$dir/runner"

# shellcheck disable=SC2086
"$RAIDO" test --no-terminal --backend="$backend" --concurrency="$JOBS" --runner="$dir/runner" $OPTIONS "$@" 2>&1 |
	tee "$out/programs" | if [ -n "$FULL" ]; then awk '/to go\.$/ { print; fflush() }'; else cat >"$dir/said"; fi
if [ "$JOBS" -gt 4 ]; then
	wait
else
	for s in $scripts; do run_script "$s"; done
fi

for s in $scripts; do
	grep -Ev '^[0-9]+ passed, [0-9]+ failed$' "$dir/$(basename "$s")"
	add_counts "$dir/$(basename "$s")" "$s"
done
grep -Ev '^[0-9]+ (passed|failed), |^[0-9]+/[0-9]+ passed\.$' "$out/programs" | sed '/./,$!d'
add_counts "$out/programs" programs
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
