# Long programs are compiled in time that grows little faster than they do: what takes a second at most
# here took longer than the limit when passes went through all statements for each of them.
# bench/compile_growth measures more shapes.
. "$(dirname "$0")/lib.sh"

# Seconds of the processor; under the sanitizers everything is far slower.
limit=10
[ -z "$ASAN_OPTIONS" ] || limit=200

# chain LINES FORM...: bindings v1, v2, .., of these forms in turn; @: the one before, %: the one at half the way
chain() {
	awk 'BEGIN {
		for (i = 1; i <= ARGV[1]; i++) {
			form = ARGV[2 + i % (ARGC - 2)]
			gsub("@", "v" (i - 1), form)
			gsub("%", "v" int(i / 2), form)
			print "  let v" i " = " form
		}
	}' "$@"
}

# compiles BACKEND: the program on standard input
compiles() {
	cat >long.fut
	run sh -c "ulimit -t $limit && exec \"\$0\" $1 -w --library -o long long.fut" "$RAIDO"
	exits 0
}

about "derivatives of products of matrices"
{
	echo 'def mul [k] (a: [k][k]f64) (b: [k][k]f64) : [k][k]f64 ='
	echo '  map (\x -> map (\y -> f64.sum (map2 (*) x y)) (transpose b)) a'
	echo 'def f [k] (v0: [k][k]f64) : f64 ='
	chain 500 'mul @ %' 'map (map f64.sin) @'
	echo '  in f64.sum (flatten v500)'
	echo 'entry main [k] (x: [k][k]f64) = vjp f x 1'
} | compiles c

about "derivatives of maps and scans"
{
	echo 'def f [k] (v0: [k]f64) : f64 ='
	chain 500 'map f64.sin @' 'map2 (*) @ %' 'scan (+) 0 @'
	echo '  in f64.sum v500'
	echo 'entry main (x: []f64) = vjp f x 1'
} | compiles multicore

about "filters"
{
	echo 'entry main (v0: []i64) : i64 ='
	chain 1000 'filter (> 3) (map (+ 1) @)'
	echo '  in i64.sum v1000'
} | compiles cuda

about "derivatives of loops"
{
	echo 'def f (k: i64) (v0: f64) : f64 ='
	chain 2500 'loop a = @ for i < k do f64.sin a * % + f64.i64 i'
	echo '  in v2500'
	echo 'entry main (k: i64) (x: f64) : f64 = vjp (f k) x 1'
} | compiles cuda

finish
