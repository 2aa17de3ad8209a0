# Deeply nested and very long programs get an answer or an error, soon, and never a crash.
. "$(dirname "$0")/lib.sh"

# Under the sanitizers, as `make dev` runs it, everything is far slower.
N=100000
[ -z "$ASAN_OPTIONS" ] || N=20000

# repeat TEXT: the text many times.  numbered TEXT: the same, with each % replaced by a number.
repeat() {
	awk -v n=$N -v s="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%s", s }'
}
numbered() {
	awk -v n=$N -v s="$1" 'BEGIN {
		parts = split(s, part, "%")
		for (i = 0; i < n; i++) {
			printf "%s", part[1]
			for (k = 2; k <= parts; k++)
				printf "%d%s", i, part[k]
		}
	}'
}

# settles NAME: `check` of the program on standard input exits with 0 or 2, within ten
# seconds (a tenth of that is typical; sanitizers make it slower).
settles() {
	about "$1"
	cat >deep.fut
	run timeout 60 "$RAIDO" check -w deep.fut
	err=$(printf '%.300s' "$err")
	case $code in
	0 | 2) result ok ;;
	*) result no "expected exit code 0 or 2" ;;
	esac
}

# nested NAME BEFORE OPEN INNER CLOSE AFTER
nested() {
	{ printf '%s' "$2"; repeat "$3"; printf '%s' "$4"; repeat "$5"; echo "$6"; } | settles "$1"
}

nested parentheses 'def f = ' '(' 1 ')'
nested arrays 'def f = ' '[' 1 ']'
nested records 'def f = ' '{a=' 1 '}'
nested tuples 'def f = ' '(1i32, ' 1 ')'
nested constructors 'def f = ' '#a (' 1 ')'
nested indexing 'def f (x: [1]i64) = ' 'x[' 0 ']'
nested "opened modules" 'def f = ' 'm.(' 0 ')'
nested minus 'def f = ' '- ' 1i32
nested ifs 'def f (x: i32) = ' 'if x > 0 then 1 else ' 2
nested conditions 'def f (x: i32) = ' 'if ' true
nested lambdas 'def f = ' '\\x -> ' 1i32
nested matches 'def f (x: i32) = ' 'match x case y -> ' x
nested loops 'def f (x: i32) = ' 'loop x for i < 3 do ' x
nested "pipes to the left" 'def f (x: i32) = ' '(+ 1) <| ' x
nested attributes 'def f = ' '#[a] ' 1i32
nested "arguments of attributes" '#[' 'a(' a ')' '] def f = 1i32'
nested patterns 'def f ' '(' x ')' ' = 3i32'
nested "tuple patterns" 'def f ' '(x, ' x ')' ' = 3i32'
nested "array types" 'def f (x: ' '[]' i32 '' ') = x'
nested "record types" 'def f (x: ' '{a: ' i32 '}' ') = x'
nested "sum types" 'def f (x: ' '#a (' i32 ')' ') = x'
nested arrows 'def f (x: ' 'i32 -> ' i32 '' ') = 3i32'
nested "sizes" 'def f (n: i64) (x: [' '(' n ')' ']i32) = x'
nested modules '' 'module m = {' '' '}'
nested "module parentheses" 'module m = ' '(' '{}' ')'
nested "parametric modules" 'module m = ' '\\(x: {}) -> ' '{}'
nested "module types" 'module type m = ' '{module x: ' '{}' '}'
nested "module type arrows" 'module type m = ' '{} -> ' '{}'

nested "lets" 'def f = ' 'let x = 1i32 in ' x
nested "lets of tuples" 'def f (x: i32) = ' 'let (a, b) = (x, x) in ' a
nested "local functions" 'def f (x: i32) = ' 'let g y = x + y in ' 'g x'
nested "a sum" 'def f = 1i32' ' + 1'
nested "a condition" 'def f = true' ' && true'
nested "a size" 'def f (n: i64) (x: [n' ' + n' ']i32) = x'
nested "pipes" 'def f (x: i32) = x ' '|> (+ 1) '
nested "pipes of arrays" 'def f [n] (x: [n]i32) = x ' '|> map (+ 1) '
nested "existential sizes" 'def f [n] (x: [n]i32) = x ' '|> filter (> 1) '
nested "projections" 'def f (x: {a: i32}) = x' '.a'
nested "indexings" 'def f (x: [1]i32) = x' '[0]'
nested "updates" 'def f (x: *[1]i32) = x' ' with [0] = 1i32'
nested "let updates" 'def f (x: *[1]i32) = ' 'let x[0] = 1i32 ' 'in x'
nested "ascriptions" 'def f = 1i32' ' : i32'
nested "qualified names" 'def f = a' '.a'
nested "arguments" 'def f = f' ' 1i32'
nested "equal parameters" 'def f' ' x' ' = 3i32'
nested "module ascriptions" 'module m = {}' ' : {}'
nested "module applications" 'module m = x' ' {}'
nested "refinements" 'module type m = {}' ' with t = i32'
nested "elements" 'def f = [' '1i32, ' '1]'
nested "cases" 'def f (x: i32) = match x ' 'case 1 -> 2 ' 'case _ -> 3'
nested "equal definitions" '' 'def f = 1i32 '
nested "syntax errors" '' 'def ) '
nested "digits" 'def f = ' 9
nested "a name" 'def f = ' a
nested "an operator" 'def f x = x ' + '' ' x'
nested "a string" 'def f = "' 'abc' '' '"'
nested "escapes" 'def f = "' '\\\\' '' '"'

{ echo 'def f (y0: i32) ='; numbered '  let x% = y0 + 1\n  let y% = x%\n'; echo '  in y0'; } |
	settles "lines of lets"
{ printf 'def f (x: i32) = match x '; numbered 'case % -> % '; echo 'case _ -> 3'; } |
	settles "different cases"
{ printf 'def f'; numbered ' x%'; echo ' = 3i32'; } | settles parameters
{ printf 'def f'; numbered ' [n%]'; echo ' = 3i32'; } | settles "size parameters"
{ printf 'def f = {'; numbered 'x% = %i32, '; echo 'y = 1i32}'; } | settles fields
{ printf 'def f (x: {'; numbered 'x%: i32, '; echo 'y: i32}) = x'; } | settles "fields of a type"
{ printf 'type t = '; numbered '#a% | '; echo '#b'; } | settles "constructors of a type"
numbered 'def f% (x: i32) = x\n' | settles definitions
{ echo 'def f0 (x: i32) = x'; numbered 'def f1% (x: i32) = f% x\n'; } | settles "calls"
numbered 'type t% = i32\n' | settles "types"
numbered 'module m% = {def x = %i32}\n' | settles "sibling modules"
numbered 'def f% = unknown\n' | settles errors
numbered 'import "file%"\n' | settles "missing imports"

# Long runs of statements, for devices: no pass takes time that grows like the cube of their number.
N=2000
[ -z "$ASAN_OPTIONS" ] || N=1000
about "updates of elements for devices"
{
	echo 'entry f [n] (x: [n]f64) ='
	echo '  let y = copy x'
	repeat '  let y[0] = y[1] * y[0]\n  let y[1] = y[0]\n'
	echo '  in y'
} >deep.fut
run timeout 60 "$RAIDO" dev --structure deep.fut soac gpu
[ "$code" = 0 ] && result ok || result no "expected exit code 0"

finish
