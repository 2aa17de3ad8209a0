# The pipelines as `raido dev` shows them, orders of passes that make no sense, fuel, and the tools
# that look for faults of passes.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"

about "pipelines"
run raido dev --pipeline=c
says '^seq +loop '
says '^place +mem '
says '^simplify .*; between rounds dce$'
says '^cse .*; then dce$'
run raido dev --pipeline=multicore
says '^multicore +soac '
says '^lockstep +soac '
says '^outline +mem '
run raido dev --pipeline=opencl
says '^flatten +device '
run raido dev --pipeline=pdp11
complains 'takes c, multicore, cuda or opencl'
exits 2

cat >a.fut <<'A'
-- ==
-- input { [1, 2, 3] } output { 15 }
entry main (xs: []i32) : i32 = i32.sum (map (+ 1) (map (* 2) xs))
A

about "orders"
run raido dev a.fut place
complains 'The pass place does not work at the stage soac'
exits 2
run raido dev a.fut seq fuse
complains 'The pass fuse does not work at the stage loop'
exits 2
run raido test -i --after=peel a.fut
complains 'The pass peel does not work at the stage soac'
exits 2

# Each pass that takes fuel leaves a program that is right without any.
about "fuel"
run raido dev --fuel=seq:1 a.fut soac
complains 'takes no fuel'
exits 2
for backend in c multicore opencl; do
	passes=$(raido dev --pipeline=$backend | cut -d' ' -f1 | paste -sd, -)
	for pass in $(raido dev --pipeline=$backend | cut -d' ' -f1 | sort -u); do
		raido dev --fuel="$pass:0" a.fut simplify >/dev/null 2>&1 || continue
		run raido dev --check=each --structure --fuel="$pass:0" a.fut "$passes"
		exits 0
	done
done

# A compiler that fails on the third rewrite of the second fuse.
about "bisect"
cat >wrong <<'A'
#!/bin/sh
case "$*" in
*test*--after=*fuse*fuse*--fuel=fuse:[012]\ *) exit 0 ;;
*test*--after=*fuse*fuse*) exit 1 ;;
esac
exec "$REAL" "$@"
A
chmod +x wrong
REAL=$RAIDO
export REAL
second=$(raido dev --pipeline=c | cut -d' ' -f1 | grep -n '^fuse$' | sed -n '2s/:.*//p')
run env RAIDO="$work/wrong" "$root/tools/bisect.sh" a.fut
says "^pass $second of [0-9]*: fuse$"
says '^rewrite 3 of fuse$'
run "$root/tools/bisect.sh" a.fut opencl
says 'is right in the interpreter after all'
exits 1

about "reduce"
printf '%s\n' one two three four five six seven >lines.txt
run "$root/tools/reduce.sh" lines.txt sh -c 'grep -q two "$0" && grep -q six "$0"'
is 'two
six'
run "$root/tools/reduce.sh" lines.txt grep -q ten
complains 'does not succeed'
exits 1
finish
