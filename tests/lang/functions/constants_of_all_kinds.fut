-- Constants of all kinds that contexts keep.
-- ==
-- entry: functions
-- input { 3i64 } output { 9i64 12i64 15i64 }

-- ==
-- entry: functors
-- input { 7i64 } output { 14i64 21i64 22i64 }

-- ==
-- entry: sums
-- input { 5i64 } output { 25i64 0i64 }

-- ==
-- entry: scalars
-- input {} output { true 3f16 200u8 -5i8 }

-- ==
-- entry: table
-- input {} output { 400i64 }

-- ==
-- entry: sized
-- input { 3i64 } output { [0i64, 3i64, 6i64] }

-- ==
-- entry: derivs
-- input { 2f64 } output { 45f64 45f64 0f64 }

-- ==
-- entry: recursive
-- input { 10i64 } output { 55i64 }

-- ==
-- entry: consumed
-- input { 2i64 } output { [7i64, 3i64] [0i64, 3i64] }

-- ==
-- entry: matrix
-- input { 1i64 } output { 33i64 }

local def hidden = map (\i -> i * 3) (iota 400)
def shown = map (+ 1) hidden
module type p = { val k : i64 }
module tab (P: p) = { def t = map (\i -> i * P.k) (iota 300) def at (i: i64) = t[i] }

def big = map (\i -> i * i) (iota 500)
def ops = {at = \(i: i64) -> big[i], sum = \(i: i64) -> big[i] + 3, all = big}
entry functions (i: i64) = (ops.at i, ops.sum i, ops.all[3] + 6)

module two = tab { def k = 2i64 }
module three = tab { def k = 3i64 }
entry functors (i: i64) = (two.at i, three.at i, shown[i])

type s = #some ([500]i64) | #none i64
def sum : s = #some (map (+ 0) big)
def non : s = if big[3] == 9 then #none 0 else #some big
entry sums (i: i64) =
  (match sum case #some xs -> xs[i] case #none k -> k, match non case #some xs -> xs[i] case #none k -> k)

def flag = big[2] == 4 && reduce (&&) true (map (>= 0) big)
def half = f16.i64 (reduce i64.max 0 (map (% 4) big) + 2)
def byte = reduce u8.max 0 (map (\x -> u8.i64 (x % 201)) (iota 500))
def minus = i8.i64 (- (length (filter (< 25) big)))
entry scalars = (flag, half, byte, minus)

entry table = length shown
def checked = assert (length big == 500) ()
def scale [n] (k: i64) : [n]i64 = map (\i -> shown[i] - 1 + k) (iota n)
entry sized (n: i64) = let r : [n]i64 = scale 0 in let () = checked in r

def weights = map f64.i64 (iota 10)
def f (x: f64) = f64.sum (map (* x) weights)
entry derivs (x: f64) =
  (vjp f x 1, jvp f x 1, vjp (\y -> f64.sum weights * 0 * y) x 1)

def fib (n: i64) : i64 = if n < 2 then n else fib (n - 1) + fib (n - 2)
def fibs = map fib (iota 15)
entry recursive (i: i64) = fibs[i]

def hidden2 = map (* 3) (iota 300)
def put (xs: *[]i64) : *[]i64 = xs with [0] = 7
entry consumed (n: i64) = (put (take n (copy hidden2)), take n hidden2)

def mat = tabulate_2d 20 30 (\i j -> i * 30 + j)
entry matrix (i: i64) = (transpose mat)[3, i]
