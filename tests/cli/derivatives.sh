# What the compiler says of derivatives: of those that are zero whatever the arguments are, and of
# those it cannot take.
. "$(dirname "$0")/lib.sh"

about "a rounding"
cat >a.fut <<'F'
def steps (x: f64) = f64.floor (2 * x) * 3
entry main (x: f64) = vjp steps x 1
F
run raido dev --structure a.fut soac
complains 'Warning at a.fut:2:23-36:'
complains 'This derivative is zero'
complains 'ends in "floor" at a.fut:1:22-39'

about "a comparison"
echo 'entry main (x: f64) = jvp (\x -> if x > 0 then 1f64 else 2) x 1' >b.fut
run raido dev --structure b.fut soac
complains 'ends in a comparison at b.fut:1:37-42'

about "an index"
echo 'entry main (x: f64) (ys: []f64) = vjp (\x -> ys[i64.f64 x]) x 1' >c.fut
run raido dev --structure c.fut soac
complains 'ends in an operand of index'

about "no warning"
cat >d.fut <<'F'
entry plain (x: f64) = vjp (\x -> x * f64.floor x) x 1
entry second (x: f64) = vjp (\x -> vjp (\x -> f64.max 0 x) x 1) x 1
entry constant (x: f64) = vjp (\_ -> 2f64) x 1
F
run raido dev --structure d.fut soac
[ -z "$err" ] && ok || not_ok "warns"

about "the same without compiling"
run raido check a.fut
complains 'Warning at a.fut:2:23-36:'
complains 'ends in "floor" at a.fut:1:22-39'
exits 0
run raido check --Werror a.fut
exits 2
run raido check -w a.fut
silent
run raido check d.fut
silent

about "options of raido c"
run raido c -w --library -o a a.fut
silent
run raido c --Werror --library -o a a.fut
complains 'Treating above warnings as errors'
exits 2

about "a derivative of a function inside of itself"
cat >e.fut <<'F'
def again (x: f64) (n: i32) : f64 = if n == 0 then x else vjp (\y -> again y (n - 1)) x 1
entry main x = again x 3
F
run raido c --library -o e e.fut
complains 'Error at e.fut:1:59-90'
complains 'recursive function "again"'
exits 1
finish
