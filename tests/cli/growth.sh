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

# Each level was passed what all those inside of it need.
about "loops nested 240 deep"
awk 'BEGIN {
	print "entry main (x: i64) : i64 =\n  let a = x"
	for (i = 0; i < 6000; i++)
		print i % 25 ? "let a = a + " i " * x" : "let a = loop a = a for j" i " < x do"
	printf "in a"
	for (i = 0; i < 6000; i += 25)
		printf " in a"
	print ""
}' | compiles c

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

about "entry points that differ by a constant"
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "entry e%d (xs: []f64) : f64 = f64.sum (map (\\x -> x * %d + f64.sin x) xs)\n", i, i }' |
	compiles multicore

# In memory, too: 8000 fields took a gigabyte.  1 GiB of the limit is the stack, of which little is used.
if [ -z "$ASAN_OPTIONS" ]; then
	fields() {
		awk -v format="$1" 'BEGIN { for (i = 0; i < 8000; i++) { f = format; gsub("%", i, f); printf "%s%s", i ? ", " : "", f } }'
	}
	about "records of many fields, matched and through loops"
	{
		echo "type t = {$(fields 'f%: i64')}"
		echo "entry matched (x: i64) : i64 = let {$(fields 'f%')} = {$(fields 'f% = x + %')} in f0 + f5"
		echo "entry kept (x: i64) : i64 ="
		echo "  let r = loop r : t = {$(fields 'f% = x + %')} for i < x do r with f3 = r.f3 + i"
		echo "  in r.f3 + r.f9"
	} >fields.fut
	run sh -c 'ulimit -v 1300000 && exec "$0" c -w --library -o fields fields.fut' "$RAIDO"
	exits 0
fi

finish
