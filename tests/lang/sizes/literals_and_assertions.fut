-- Literals, assertions, sized constants, lifted parameters, refined module types.
-- ==
-- entry: lit
-- input { true [1,2,3,4,5,6] } output { [1,2] [[1,2,3],[4,5,6]] }

-- ==
-- entry: asr
-- input { 3i64 } output { 3i64 3i64 }

-- ==
-- entry: zer
-- input { 2i64 } output { [[0f32,0f32],[0f32,0f32]] [5f32,0f32] }

-- ==
-- entry: lifted
-- input { [-1,5,6] } output { [5,6] [5,6] }

-- ==
-- entry: wi
-- input { 3 } output { 4 [3] }
def six (xs: [6i64]i32) : [2][3]i32 = unflatten (xs :> [2 * 3i64]i32)
entry lit (b: bool) (xs: [6]i32) = (if b then xs[:2i64] else xs[:2], six xs)
def f (n: i64) : [n]i64 = iota (assert (n > 0) (assert (n < 9) (n : i64)))
entry asr (n: i64) = (length (f n), length (zip (f n) (iota n)))
def zeros [n][m] : [n][m]f32 = replicate n (replicate m 0)
def z1 [n] : [n]f32 = replicate n 0
entry zer (n: i64) : (*[n][n]f32, *[n]f32) = (zeros, z1 with [0] = 5)
def twice '~a (f: a -> a) (x: a) : a = f (f x)
def thunk '^a (x: () -> a) : {v: a, w: a} = {v = x (), w = x ()}
entry lifted (xs: []i32) = let r = thunk (\() -> filter (> 0) xs) in (r.v, r.w)
module type C = { type t val x : t }
module type D = { module c : C val y : c.t -> c.t }
module d : (D with c.t = i32) = { module c = {type t = i32 def x = 1i32} def y (x: i32) = x + 1 }
module type E = { type e include C with t = e val inj : i32 -> e val out : e -> []i32 }
module e : (E with e = i32) = { type e = i32 type t = i32 def x = 3i32 def inj (x: i32) = x def out (x: i32) = [x] }
entry wi (x: i32) = (d.y x, e.out (e.inj x))
