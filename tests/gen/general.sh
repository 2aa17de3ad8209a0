#!/bin/sh
# The programs of bench/general: every one compiles for every back end without a warning, for CUDA also with all
# floats made f64 (other tiles, and other sums of products, which `against` runs); its entry points have the same
# parameters, it has a problem that names it, and the list of those kept apart names programs.

cd "$(dirname "$0")/../.." || exit 1
RAIDO=${RAIDO:-build/raido}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
passed=0
failed=0

check() {
	if [ "$2" = yes ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$1"
	fi
}

# The parameters of an entry point of a manifest, without the underscores of those that are not used.
parameters() {
	awk -v want="\"$2\": {\"cfun\"" 'index($0, want) { on = 1 } on && /"name"/ { print } on && /]}/ { exit }' "$1" |
		grep -o '"name": "[^"]*"' | sed 's/"name": "_*//'
}

for source in bench/general/programs/*.fut; do
	name=$(basename "$source" .fut)
	for backend in c multicore opencl cuda; do
		text=$("$RAIDO" $backend --library -o "$dir/$name" "$source" 2>&1) && [ -z "$text" ] && ok=yes || ok=no
		check "$source: $backend: $text" $ok
	done
	if grep -q 'f32' "$source"; then
		sed 's/f32/f64/g' "$source" >"$dir/wide.fut"
		text=$("$RAIDO" cuda --library -o "$dir/wide" "$dir/wide.fut" 2>&1) && [ -z "$text" ] && ok=yes || ok=no
		check "$source: cuda, f64: $text" $ok
	fi
	[ "$(parameters "$dir/$name.json" primal)" = "$(parameters "$dir/$name.json" gradient)" ] && ok=yes || ok=no
	check "$source: primal and gradient have different parameters" $ok
	head -n 1 "$source" | grep -q '^-- ' && ok=yes || ok=no
	check "$source: does not say what it is" $ok
	grep -q "\"$name\":" bench/general/problems/*.py && ok=yes || ok=no
	check "$source: no problem has it" $ok
done
for name in $(grep -v '^#' bench/general/untuned); do
	[ -f "bench/general/programs/$name.fut" ] && ok=yes || ok=no
	check "bench/general/untuned: no program $name" $ok
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
