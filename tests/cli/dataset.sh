# dataset and datacmp: conversion, generation, comparison.
. "$(dirname "$0")/lib.sh"

about "text to text"
in='1 2i64 [[1,2],[3,4]] "hi" empty([0][2]f32) 0.1f32 1e20 -f32.inf f64.nan 0x10 0b101u8 1_000 true' run raido dataset
exits 0
is '1i32
2i64
[[1i32, 2i32],
 [3i32, 4i32]]
[104u8, 105u8]
empty([0][2]f32)
0.1f32
1.0e20f64
-f32.inf
f64.nan
16i32
5u8
1000i32
true'

about "elements adopt the type of the first"
in='[1i64, 2] [1.0, 2] [1,2,]' run raido dataset -t
is '[2]i64
[2]f64
[2]i32'

about "comments between values"
in='1 -- one
2' run raido dataset
is '1i32
2i32'

about "malformed data"
for bad in '[]' '[1' '[1 2]' '[[1u8],[2]]' '[[1],[2,3]]' 'foo' '1x' '(1,2)' '"abc' 'empty([2]i32)' '1.5i32'; do
	in=$bad run raido dataset
	exits 1
	complains '^Malformed data on standard input\.$'
done

about "binary form"
in='[1u16, 258u16]' run raido dataset -b
printf 'b\002\001 u16\002\000\000\000\000\000\000\000\001\000\002\001' >want.bin
printf '[1u16, 258u16]' | raido dataset -b >got.bin
if cmp -s want.bin got.bin; then result ok; else result no "bytes as specified"; fi
printf '5i8 [true, false] [[1.5f64]] 7u64' | raido dataset -b >a.bin
(printf '  '; cat a.bin; printf ' 3i32 '; cat want.bin) >mixed
run raido dataset <mixed
raido dataset <mixed >mixed.txt
out=$(cat mixed.txt)
is '5i8
[true, false]
[[1.5f64]]
7u64
3i32
[1u16, 258u16]'

about "generation"
run raido dataset -g '[3][2]i32' -g f64 -g bool
exits 0
says '^\[\[-?[0-9]+i32, -?[0-9]+i32\],$'
says '^0\.[0-9]+f64|^[0-9.]+e-[0-9]+f64$'
first=$out
run raido dataset -g '[3][2]i32' -g f64 -g bool
is "$first"
run raido dataset -s 2 -g '[3][2]i32' -g f64 -g bool
if [ "$out" != "$first" ]; then result ok; else result no "another seed gives other data"; fi
run raido dataset --i32-bounds=-2:2 -g '[4]i32'
says '^\[(-[12]|[012])i32(, (-[12]|[012])i32){3}\]$'
run raido dataset --f32-bounds=10:11 -g f32
says '^10(\.[0-9]+)?f32$|^11\.0f32$'
for bounds in u8-bounds=0:256 u8-bounds=-1:5 i8-bounds=-129:0; do
	run raido dataset "--$bounds" -g u8
	complains "expected MIN:MAX of type ${bounds%%-*}, not \"${bounds#*=}\""
	exits 2
done
run raido dataset --u64-bounds=18446744073709551615:18446744073709551615 -g u64
is 18446744073709551615u64
run raido dataset -g 42i32 -g '[1,2]'
is '42i32
[1i32, 2i32]'
run raido dataset -g foo
exits 1
complains '^Unknown type foo$'
run raido dataset -g '[n]i32'
exits 1
complains '^Array has non-constant dimension declaration\.$'
run raido dataset -g '[]i32'
exits 1
raido dataset -b -g '[100]f32' >r.bin
raido dataset -g '[100]f32' >r.txt
run raido datacmp r.bin r.txt
exits 0
silent

about "comparison"
cmp_values() {
	printf '%s' "$1" >a
	printf '%s' "$2" >b
	run raido datacmp a b
}
cmp_values '1 [1,2]' '1 [1,2]'
exits 0
silent
cmp_values 4 5
exits 2
is 'Value #0: expected 5, got 4'
cmp_values '1.001' '1.0'
exits 0
cmp_values '1.0021' '1.0'
exits 2
cmp_values '[1000,2.9f64]' '[1000.0,1.0]'
exits 1
complains '^Error reading values from a$'
cmp_values '[1000.0,2.9]' '[1000.0,1.0]'
exits 0
cmp_values '[-1000.0,2.9]' '[-1000.0,1.0]'
exits 2
is 'Value #0 index [1]: expected 1.0, got 2.9'
cmp_values '[f32.nan, f32.inf]' '[f32.nan, f32.inf]'
exits 0
cmp_values '-f32.inf' 'f32.inf'
is 'Value #0: expected f32.inf, got -f32.inf'
cmp_values '[1,2]' '[1,2,3]'
is 'Value #0: expected array of shape [3], got [2]'
cmp_values '1' '1i64'
is 'Value #0: expected value of type i64, got i32'
cmp_values '1' '1 2'
is 'Expected 2 values, got 1'
cmp_values '[[1,2],[3,4]] 5' '[[1,0],[0,4]] 6'
is 'Value #0 index [0,1]: expected 0, got 2
Value #0 index [1,0]: expected 0, got 3
Value #1: expected 6, got 5'
run raido datacmp nofile b
exits 1
complains '^Error reading values from nofile$'

if command -v gzip >/dev/null; then
	about "compressed files"
	printf '[1,2,3]' >z
	gzip -k z
	run raido datacmp z z.gz
	if printf '%s' "$err" | grep -q 'without zlib'; then exits 1; else exits 0; fi
fi
finish
