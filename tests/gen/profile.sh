#!/bin/sh
# Profiles: what programs report of their loops, and the command that shows it.
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/cli/lib.sh"
CFLAGS='-O1 -std=c11'
export CFLAGS

cat >p.fut <<'F'
-- ==
-- "small & <odd>" input { 10i64 }
-- "large" input { 1000i64 }
def main (n: i64) =
  let xs = map f64.i64 (iota n)
  let ys = loop a = xs for _i < 7i32 do
    map (\x -> x * x + 1) a
  in f64.sum ys
F

about "reports of executables"
run raido c p.fut
exits 0
run sh -c 'echo 100i64 | ./p -P 2>&1 >/dev/null'
says '"description": "Loop at p.fut:6:'
says '"description": "Iterations of a SOAC at p.fut:7:5-28.", "provenance": "[^"]*", "within": "region [0-9]*", "count": 7,'

about "reports of recursive functions: the call of them, none of their loops"
cat >r.fut <<'F'
def walks (depth: i64) : i64 =
  if depth == 0 then 1 else loop s = 0 for i < depth do s + i + walks (depth - 1)

entry main (n: i64) : i64 = walks n
F
run raido c r.fut
exits 0
run sh -c 'echo 5i64 | ./r -P 2>&1 >/dev/null'
says '"description": "Recursion at r.fut:4:29-36.", "provenance": "[^"]*", "count": 1,'
run sh -c 'echo 5i64 | ./r -P 2>&1 >/dev/null | grep -c region'
says '^1$'

about "profile"
run raido bench --no-convergence-phase --profile --json=p.json p.fut
exits 0
run raido profile p.json
exits 0
says '^Wrote 2 profiles to p.prof$'
run cat p.prof/large.summary
says '^Entry points: '
says ' 7  Iterations of a SOAC at p.fut:7:5-28\.$'
says 'p.fut:7      map \(.x -> x \* x \+ 1\) a$'
run cat p.prof/small____odd_.html
says 'small &amp; &lt;odd&gt;'
says '<pre>    map \(.x -&gt; x \* x \+ 1\) a</pre>'
run cat p.prof/large.timeline
says '^Runs: 7$'

about "profile: threads"
sed 's/1000i64/100000i64/' p.fut >t.fut
OMP_NUM_THREADS=3 CFLAGS="$CFLAGS -DRD_LEAST_WORK=100" run raido bench --backend=multicore --no-convergence-phase \
	--profile --json=t.json t.fut
exits 0
run cat t.json
says '"threads": \[[0-9.]*, [0-9.]*, [0-9.]*\], "count": 7,'
run raido profile t.json
exits 0
run cat t.prof/large.summary
says ' 7  Region of threads at t.fut:7:5-28\.$'
says '^ *busy  *imbalance  where$'
says '^ *[0-9.]*%  *[0-9.]*  Region of threads at t.fut:7:5-28\. [0-9]+% [0-9]+% [0-9]+%$'

about "profile: files it cannot use"
run raido profile absent.json
exits 1
complains '^Cannot read absent.json$'
echo '{"a.fut": {"datasets": {"x": {"runtimes": [1]}}}}' >none.json
run raido profile none.json
exits 1
complains '^none.json: no profiles in it'
echo '{"a": [1, }' >broken.json
run raido profile broken.json
exits 1
complains '^broken.json: expected '

finish
