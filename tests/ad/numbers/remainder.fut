-- x % y of floats is x - k * y: 1 by x, -k by y, in both modes and as a constant to second derivatives.
-- ==
-- entry: reverse forward
-- input { 7.0 2.0 } output { 1.0 -3.0 }
-- input { -7.0 2.0 } output { 1.0 3.0 }
-- input { 7.0 -2.0 } output { 1.0 3.0 }
-- input { 1.0 2.0 } output { 1.0 0.0 }
-- input { 5.999999999999999 2.0 } output { 1.0 -2.0 }
-- input { 0.3 0.1 } output { 1.0 -2.0 }
entry reverse (x: f64) (y: f64) : (f64, f64) = vjp (\(x, y) -> x % y) (x, y) 1

entry forward (x: f64) (y: f64) : (f64, f64) =
  (jvp (\(x, y) -> x % y) (x, y) (1, 0), jvp (\(x, y) -> x % y) (x, y) (0, 1))

-- x % y * y is x * y - k * y * y, with the second derivatives 0, 1 and -2 k.
-- ==
-- entry: second_fr second_rr second_rf
-- input { 7.0 2.0 } output { 1.0 -5.0 }
-- input { -7.0 2.0 } output { 1.0 7.0 }
def f (x: f64, y: f64) : f64 = x % y * y

entry second_fr (x: f64) (y: f64) : (f64, f64) = jvp (\q -> vjp f q 1) (x, y) (1, 1)
entry second_rr (x: f64) (y: f64) : (f64, f64) = vjp (\q -> vjp f q 1) (x, y) (1, 1)
entry second_rf (x: f64) (y: f64) : (f64, f64) = vjp (\q -> jvp f q (1, 1)) (x, y) 1

-- ==
-- entry: single mapped
-- input { [7f32, 0.75f32] [2f32, 0.5f32] } output { [1f32, 1f32] [-3f32, -1f32] }
entry single [n] (xs: [n]f32) (ys: [n]f32) : ([n]f32, [n]f32) =
  unzip (map2 (\x y -> vjp (\(x, y) -> x % y) (x, y) 1) xs ys)

entry mapped [n] (xs: [n]f32) (ys: [n]f32) : ([n]f32, [n]f32) =
  vjp (\(xs, ys) -> map2 (%) xs ys) (xs, ys) (replicate n 1)

-- Integers: 0 by the divisor.
-- ==
-- entry: whole
-- input { 7i64 2i64 } output { 1i64 0i64 }
entry whole (x: i64) (y: i64) : (i64, i64) = vjp (\(x, y) -> x % y) (x, y) 1
