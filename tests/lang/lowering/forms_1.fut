-- Lowering: many small forms, part 1.

-- ==
-- entry: brs
-- input { true 3i64 } output { [0i64,1i64,2i64] }
-- input { false 3i64 } output { [0i64,1i64,2i64,3i64] }
entry brs (b: bool) (n: i64) = if b then iota n else iota (n+1)
-- ==
-- entry: grow
-- input { 2i64 } output { 5i64 [0i64,1i64,2i64,3i64,4i64] }
entry grow (n: i64) = loop (m, xs) = (n, iota n) for i < 3 do (m + 1, iota (m + 1))
-- ==
-- entry: keep
-- input { 2i64 } output { [3i64,4i64] }
entry keep (n: i64) = loop (xs: [n]i64) = iota n for i < 3 do map (+ 1) xs
-- ==
-- entry: upd
-- input { [5,6] 3 } output { [2,6] }
entry upd (a: *[]i32) (n: i32) = loop a for i < n do a with [0] = i
-- ==
-- entry: order
-- input { 3i64 } output { 1i64 [1i64,1i64,2i64] }
entry order (n: i64) = let a = iota n in (a[1], a with [0] = 1)
-- ==
-- entry: own
-- input { 2i64 } output { [1i64,1i64] [1i64,2i64] }
entry own (n: i64) = let a = iota n let b = map (+ 1) a in (a with [0] = 1, b)
def len [n] (xs: [n]i32) : i32 = if n == 0 then 0 else 1 + len xs[1:]
-- ==
-- entry: elen
-- input { [1,2,3] } output { 3 }
entry elen [n] (xs: [n]i32) = len xs
def ho (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g 0 else ho g (n - 1)
-- ==
-- entry: eho
-- input { 4 7 } output { 7 }
entry eho (n: i32) (k: i32) = ho (\x -> x + k) n
-- ==
-- entry: two_sizes
-- input { [1,2] } output { 4i64 5i64 }
entry two_sizes [n] (xs: [n]i32) = let f [m] (ys: [m]i32) = m + n in (f xs, f [1i32, 2, 3])
def emp 't : [0]t = []
-- ==
-- entry: eemp
-- input { } output { empty([0]i32) 0i64 }
entry eemp : ([0]i32, i64) = (emp, length (emp : [0]f64))
-- ==
-- entry: cast
-- input { [1,2] } output { [1,2,1,2] }
entry cast [n] (xs: [n]i32) = (xs ++ xs) :> [2*n]i32
-- ==
-- entry: castbad
-- input { [1,2] } error: Value of \(desugared\) shape \[2\] cannot match shape of type "\[3\]i32"
entry castbad [n] (xs: [n]i32) = xs :> [3]i32
-- ==
-- entry: idx
-- input { [1,2] 2i64 } error: Index \[2\] out of bounds for array of shape \[2\]
-- input { [1,2] 1i64 } output { 2 }
entry idx [n] (xs: [n]i32) (i: i64) = xs[i]
-- ==
-- entry: sl
-- input { [1,2,3,4,5] 3i64 1i64 } error: Index \[3:1\] out of bounds for array of shape \[5\]
-- input { [1,2,3,4,5] 6i64 6i64 } output { empty([0]i32) }
-- input { [1,2,3,4,5] 1i64 3i64 } output { [2,3] }
entry sl [n] (xs: [n]i32) (i: i64) (j: i64) = xs[i:j]
-- ==
-- entry: sls
-- input { [1,2,3,4,5] 4i64 -1i64 -2i64 } output { [5,3,1] }
-- input { [1,2,3,4,5] 5i64 0i64 -1i64 } error: Index \[5:0:-1\] out of bounds
-- input { [1,2,3,4,5] 0i64 5i64 2i64 } output { [1,3,5] }
-- input { [1,2,3,4,5] 0i64 5i64 0i64 } error: Index \[0:5:0\]
entry sls [n] (xs: [n]i32) (i: i64) (j: i64) (s: i64) = xs[i:j:s]
-- ==
-- entry: slneg
-- input { [1,2,3,4,5] } output { [5,3,1] [5,4] [5,4,3,2,1] }
entry slneg [n] (xs: [n]i32) = (xs[4::-2], xs[:2:-1], xs[:-1:-1])
-- ==
-- entry: divz
-- input { 1 0 } error: division by zero
-- input { -7 2 } output { -4 1 -3 -1 }
entry divz (a: i32) (b: i32) = (a / b, a % b, a // b, a %% b)
-- ==
-- entry: powneg
-- input { 2 -1 } error: negative exponent
entry powneg (a: i32) (b: i32) = a ** b
-- ==
-- entry: asrt
-- input { 20 } error: Assertion is false: \(x > 0 && x < 10\)
-- input { 2 } output { 3 }
entry asrt (x: i32) = assert (x > 0 && x < 10) (x + 1)
-- ==
-- entry: hole
-- input { 2 } error: Reached hole of type: i32
entry hole (x: i32) : i32 = if x > 1 then ??? else x
-- ==
-- entry: rng
-- input { 1 0 5 } error: Range 1..0...5 is invalid
-- input { 1 3 10 } output { [1,3,5,7,9] }
entry rng (a: i32) (b: i32) (c: i32) = a..b...c
-- ==
-- entry: updsl
-- input { [1,2,3,4] [9,8] } output { [1,9,8,4] }
-- input { [1,2,3,4] [9] } error: Shape of slice does not match shape of value.
entry updsl [n] (a: *[]i32) (v: [n]i32) = a with [1:3] = v
