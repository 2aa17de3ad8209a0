#!/bin/sh
# Checked mode tells of what tests/checked/faults.fut does, with the line, the index and the values: interpreted,
# by each back end for processors, or by that of BACKEND if it is set; of the cases one in EVERY (default: all).
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"

cp "$root/tests/checked/faults.fut" .
CFLAGS=${CFLAGS:--O1 -std=c11 -w}
export CFLAGS
backends=${BACKEND:-c multicore}
ways=${BACKEND:-run $backends}
for backend in $backends; do
	about "$backend"
	run raido "$backend" -w --checked -o "$backend.default" faults.fut
	exits 0
	[ "$backend" != "${BACKEND:-}" ] || continue # a device compiles long enough
	run raido "$backend" -w --checked=overflow -o "$backend.overflow" faults.fut
	exits 0
done

# Runs it: $2 is the list of checks, "default" for what --checked means.
execute() {
	case $1.$2 in
	run.default) run raido run -w --checked -e "$entry" faults.fut ;;
	run.*) run raido run -w "--checked=$2" -e "$entry" faults.fut ;;
	*) run "./$1.$2" -e "$entry" ;;
	esac
}

# One case: $line, $entry, $input, $want.
check() {
	checks=default
	case $input in
	'[overflow]'*) checks=${input%%]*}
		checks=${checks#[}
		input=${input#*] } ;;
	esac
	for how in $ways; do
		[ "$how" = run ] || [ -x "$how.$checks" ] || continue
		about "$how: $entry $input"
		in=$input
		execute "$how" "$checks"
		if [ "$want" = fine ]; then
			exits 0
			continue
		fi
		exits 1
		case $err in
		*"faults.fut:$line:"*) result ok ;;
		*) result no "expected line $line" ;;
		esac
		case $err in
		*"$want"*) result ok ;;
		*) result no "expected: $want" ;;
		esac
	done
}

grep -nE '^(--  .* => |entry )' faults.fut | awk '
	{ split($0, at, ":") }
	at[2] ~ /^entry/ { split($0, word, " "); for (i = 0; i < n; i++) print at[1], word[2], cases[i]; n = 0; next }
	{ cases[n++] = substr($0, length(at[1]) + 6) }' >cases
n=0
while read -r line entry case; do
	n=$((n + 1))
	[ $((n % ${EVERY:-1})) -eq 0 ] || continue
	input=${case%% => *}
	want=${case#* => }
	check </dev/null
done <cases

# A share of programs that do nothing wrong, none of which may be accused.
accused_of_nothing="ad/constructs/logsumexp ad/loops/intact ad/loops/uneven ad/programs/gaussian_process
	ad/programs/sorting ad/soacs/hist_2d ad/soacs/scan_nested lang/loop/in_place
	lang/programs/complex_fft lang/programs/kmeans lang/programs/segmented lang/programs/sparse_matrices"
for program in $accused_of_nothing; do
	[ -z "${BACKEND:-}" ] || continue
	about "$program"
	run raido test -i --no-terminal --checked "$root/tests/$program.fut"
	exits 0
done

if [ -z "${BACKEND:-}" ]; then
	about 'messages with floats are one call'
	run raido c -w --checked --library -o faults faults.fut
	run grep 'rd_put(ctx, "%s", " is ")' faults.c
	silent
	# What is added up of what is tested leaves loops in vectors: beside inner loops and stores, in long
	# bodies, in the return sweep of strips of rows.
	cat >windows.fut <<'EOF'
entry main [c][o][h][w] (image: [c][h][w]f32) (kernels: [o][c][3][3]f32) : [o][h][w]f32 =
  let pixel (a: [h][w]f32) (i: i64) (j: i64) = if i >= 0 && i < h && j >= 0 && j < w then a[i, j] else 0
  let window (k: [3][3]f32) a i j =
    f32.sum (map (\di -> f32.sum (map (\dj -> k[di, dj] * pixel a (i + di - 1) (j + dj - 1)) (iota 3))) (iota 3))
  in map (\ks -> tabulate_2d h w (\i j -> f32.max 0 (f32.sum (map2 (\k a -> window k a i j) ks image)))) kernels
EOF
	cat >many.fut <<'EOF'
entry main [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  map2 (\x y ->
    let a = f64.exp (x - y) + f64.exp (y - 2 * x) + f64.exp (x * y)
    let b = f64.log (1 + a * a) - x / (1 + a) + y / (2 + a) - x * y * a
    let c = f64.sqrt (b * b + x * x + 1) + f64.sqrt (a + y * y) - a * b
    in f64.max c (a - b) + f64.min (x * c) (y * a) * 0.5 + a / c + b * c - x * b + y * c) xs ys
EOF
	grep '^entry added_in_strips' faults.fut >strips.fut
	cat >choices.fut <<'EOF'
entry main [n][m][k] (ws: [k][m][n]f32) : [k][n]f32 =
  map (\w -> loop next = replicate n 0 for j < n do
               let (s, top) = loop (s, top) = (0, -f32.inf) for i < m do
                                let x = w[i, j]
                                in if x <= top then (s + f32.exp (x - top), top) else (s * f32.exp (top - x) + 1, x)
               in next with [j] = top + f32.log s) ws
EOF
	for program in windows many strips choices; do
		about "vectors of $program"
		run raido c -w --checked --library $program.fut
		run grep 'v flag.* = rd_splat' $program.c
		exits 0
	done
	grep '^entry shared_in_strips' faults.fut >shared.fut
	run raido c -w --checked --library shared.fut
	about 'vectors of what adds to sums'
	if [ "$(grep -c 'v flag.* = rd_splat' shared.c)" -ge 2 ]; then ok; else not_ok "few vectors"; fi
	grep '^entry hidden_in_loop' faults.fut >hidden.fut
	run raido dev --bare --checked hidden.fut sequential c
	says 'loop \(s_[0-9]*: f64 = 1\.0\) for'
	# Operators of rows are tested apart from the rows.
	cat >nearest.fut <<'EOF'
entry main [n][k] (xs: [n]f64) (ys: [k]f64) : [n]f64 =
  let nearer (a, v) (b, w) : (f64, f64) = if b < a then (b, w) else (a, v)
  in map (\x -> (reduce nearer (1e9, 0) (map (\y -> (f64.abs (x - y), x * y)) ys)).1) xs
EOF
	run raido c -w --checked --library nearest.fut
	about 'vectors beside tests of operators'
	run grep 'rd_f64m .* = rd_vlt_f64' nearest.c
	exits 0
	# What rows of a batch add to matrices that a loop carries is tested after it, and a product.
	grep '^entry batch_in_loop' faults.fut >batch.fut
	run raido dev --bare --checked batch.fut soac
	says 'input=\[d_[0-9]*, d_[0-9]*\] \(copy_'
	# A flag that a loop carries does not keep it from being a product.
	cat >product.fut <<'EOF'
entry main [n][m][b] (w: [n][m]f64) (bias: [n]f64) (xs: [b][m]f64) : [b][n]f64 =
  map (\x -> loop out = copy bias for i < n do
               out with [i] = f64.tanh (loop s = out[i] for j < m do s + w[i, j] * x[j])) xs
EOF
	about 'products of loops that carry flags'
	run raido c -w --checked --library product.fut
	run grep 'rd_way_of_product(' product.c
	exits 0
	about 'unknown checks'
	run raido c --checked=scater faults.fut
	exits 2
	complains 'there is no check "scater"'
fi
finish
