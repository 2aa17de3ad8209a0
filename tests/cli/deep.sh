# Deeply nested programs get an answer or an error, never a crash.
. "$(dirname "$0")/lib.sh"

# repeat N TEXT: the text N times
repeat() { awk -v n="$1" -v s="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", s }'; }

# settles NAME: `raido check` of the program on standard input exits with 0 or 2
settles() {
	cat > "$work/$1.fut"
	status=0
	"$RAIDO" check -w "$work/$1.fut" > "$work/out" 2>&1 || status=$?
	case $status in
	0 | 2) ok "$1" ;;
	*) not_ok "$1" "exit status $status: $(head -c 300 "$work/out")" ;;
	esac
}

N=100000
{ printf 'def f = '; repeat $N '('; printf 1; repeat $N ')'; echo; } | settles parentheses
{ printf 'def f = '; repeat $N '['; printf 1; repeat $N ']'; echo; } | settles arrays
{ printf 'def f = '; repeat $N 'let x = 1i32 in '; echo x; } | settles lets
{ echo 'def f (x0: i32) ='; awk -v n=$N 'BEGIN { for (i = 1; i < n; i++) printf "  let x%d = x%d + 1\n", i, i - 1
	print "  in x" n - 1 }'; } | settles let_chain
{ repeat $N 'module m = {'; repeat $N '}'; echo; } | settles modules
{ printf 'def f = '; repeat $N '- '; echo 1i32; } | settles minus
{ printf 'def f = 1i32'; repeat $N ' + 1'; echo; } | settles sum
{ printf 'def f (x: '; repeat $N '[]'; echo 'i32) = x'; } | settles types
{ printf 'def f (x: i32) = '; repeat $N 'if x > 0 then 1 else '; echo 2; } | settles ifs
{ printf 'def f = '; repeat $N '\x -> '; echo '1i32'; } | settles lambdas
{ printf 'def f (x: i32) = match x '; repeat $N 'case 1 -> 2 '; echo 'case _ -> 3'; } | settles cases
{ printf 'def f (x: '; repeat $N 'i32 -> '; echo 'i32) = 3i32'; } | settles arrows
{ printf 'def f '; repeat $N '('; printf x; repeat $N ')'; echo ' = 3i32'; } | settles patterns
{ printf 'def f (x: i32) = x '; repeat $N '|> (+ 1) '; echo; } | settles pipes
finish
