# The passes of the optimiser, one by one and all together, leave the meaning of programs as it
# is: the interpreter gives the same results after them.  Core is checked after each.
tests=$(cd "$(dirname "$0")/.." && pwd)
. "$(dirname "$0")/lib.sh"

cp -R "$tests/lang" "$tests/prelude" "$tests/ad" "$tests/core" "$tests/structure" .

# after PASSES DIRECTORY...
after() {
	passes=$1
	shift
	about "after $passes"
	run raido test -i --no-terminal --after="$passes" "$@"
	exits 0
}

after soac lang prelude ad core structure
after soac,c lang prelude core structure
for pass in inline_calls simplify cse hoist fuse dce; do
	after $pass lang core
done

about "fuel"
cat >a.fut <<'A'
entry main (xs: []i32) : i32 = i32.sum (map (+ 1) (map (* 2) xs))
A
run raido dev --structure --fuel=fuse:1 a.fut fuse
says '^screma 2 '
run raido dev --structure --fuel=fuse:0 --stats a.fut fuse
says '^screma 3 '
complains '0 rewrites'
run raido dev --fuel=fuse a.fut fuse
complains '--fuel takes PASS:N'
exits 2
finish
