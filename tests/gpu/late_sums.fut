-- Loops that add a sum over rows to a scalar in each iteration: the rows are added up after the loop.

-- The adjoints of parameters that all rows share.
-- ==
-- entry: shared
-- input { 3i64 4i64 } output { [-1.2029594519562328f64, -0.16863370373716957f64, -6.222691499958208f64] }
-- input { 5000i64 6i64 } output { [-2441.0626015117123f64, -341.1097205527208f64, -11178.66388955595f64] }
-- input { 0i64 3i64 } output { [0.0f64, 0.0f64, 0.0f64] }
-- input { 7i64 0i64 } output { [0.0f64, 0.0f64, 0.0f64] }
-- input { 2i64 9000i64 } output { [-1.4711380395212406f64, -0.2027262635805847f64, -4.611941924728617f64] }
entry shared (n: i64) (k: i64) : [3]f64 =
  let x0 = map (\i -> f64.i64 (i % 17) / 17) (iota n)
  let f (p: [3]f64) =
    f64.sum (loop x = x0 for _i < k do map (\x -> 0.5 * x + p[0] * f64.sin (p[1] * x) - p[2]) x)
  in vjp f [0.1, 0.7, 0.2] 1

-- Rows of rows.
-- ==
-- entry: plane
-- input { [[0.1f64, 0.2f64, 0.3f64], [0.4f64, 0.5f64, 0.6f64]] 5i64 } output { 1.3320659794992613f64 0.6599842574379511f64 }
-- input { empty([0][4]f64) 3i64 } output { 0.0f64 0.0f64 }
-- input { empty([3][0]f64) 3i64 } output { 0.0f64 0.0f64 }
-- input { [[1f64, 2f64]] 0i64 } output { 0.0f64 0.0f64 }
entry plane [n][m] (x0: [n][m]f64) (k: i64) : (f64, f64) =
  let f (p, q) = f64.sum (flatten (loop x = x0 for _i < k do map (map (\x -> 0.5 * x + p * f64.sin (q * x))) x))
  in vjp f (0.3, 0.6) 1

-- A multiple of the sum, and something that it is added to.
-- ==
-- entry: mean
-- input { 4i64 3i64 2.5f64 } output { 13.04296875f64 }
-- input { 6000i64 3i64 -1f64 } output { 10.8469609375f64 }
-- input { 4i64 0i64 2.5f64 } output { 2.5f64 }
entry mean (n: i64) (k: i64) (e0: f64) : f64 =
  let ys = tabulate_2d k n (\i j -> f64.i64 ((i + 5 * j) % 11))
  let (_, e) =
    loop (x, e) = (replicate n 1, e0) for row in ys do
      let x = map2 (\x y -> 0.5 * (x + y)) x row
      in (x, e + f64.sum (map2 (\a b -> (a - b) ** 2) x row) / f64.i64 n)
  in e

-- Factors that differ from iteration to iteration, and differences.
-- ==
-- entry: weighted
-- input { 4i64 3i64 2i64 } output { 940i64 -486i64 }
-- input { 6000i64 3i64 7i64 } output { 2699140i64 -1763577i64 }
-- input { 4i64 0i64 2i64 } output { 2i64 7i64 }
entry weighted (n: i64) (k: i64) (s0: i64) : (i64, i64) =
  let (_, s, d) =
    loop (x, s, d) = (iota n, s0, 7) for j < k do
      let x = map (\x -> (3 * x + j) % 101) x
      in (x, s + i64.sum x * (j + 2), d - i64.sum (map (* 2) x) + i64.sum (map (% 5) x))
  in (s, d)

-- Scalars that are added to each other.
-- ==
-- entry: steps
-- input { 3i64 4i64 } output { 2.929406999497525f64 }
-- input { 5000i64 5i64 } output { 7830.731353812463f64 }
-- input { 3i64 0i64 } output { 0.0f64 }
entry steps (n: i64) (k: i64) : f64 =
  let x0 = map (\i -> f64.i64 (i % 13) / 13) (iota n)
  let f dt =
    let (x, _) = loop (x, t) = (x0, 0) for _i < k do (map (\x -> 0.5 * x + dt * f64.sin (x + t)) x, t + dt)
    in f64.sum x
  in vjp f 0.1 1

-- ==
-- entry: fading
-- input { 3i64 4i64 } output { 15.64453125f64 28.122024536132812f64 }
-- input { 5000i64 5i64 } output { 44919.27734375f64 104008.99122238159f64 }
-- input { 3i64 0i64 } output { 0.0f64 0.0f64 }
entry fading (n: i64) (k: i64) : (f64, f64) =
  let x0 = map (\i -> f64.i64 (i % 13)) (iota n)
  let (_, s, last) =
    loop (x, s, _last) = (x0, 0, 0) for _i < k do
      let x = map (\x -> 0.75 * x + 1) x
      in (x, 0.5 * s + f64.sum x, f64.sum (map (\x -> x * x) x))
  in (s, last)

-- Other operators.
-- ==
-- entry: extremes
-- input { 3i64 4i64 0.4f64 } output { 3.461212178339146e-2f64 0.8489822134145033f64 5i64 }
-- input { 5000i64 5i64 -1f64 } output { -1.0f64 0.8999967976768384f64 17276i64 }
-- input { 3i64 0i64 0.5f64 } output { 0.5f64 0.5f64 0i64 }
-- input { 0i64 3i64 0.5f64 } output { 0.5f64 0.5f64 0i64 }
entry extremes (n: i64) (k: i64) (a: f64) : (f64, f64, i64) =
  let x0 = map (\i -> f64.i64 (i % 101 + 1) / 103) (iota n)
  let (_, lo, hi, c) =
    loop (x, lo, hi, c) = (x0, a, a, 0) for _i < k do
      let x = map (\x -> 3.6 * x * (1 - x)) x
      in (x, f64.min lo (f64.minimum x), f64.max hi (f64.maximum x), c + i64.sum (map (\x -> i64.bool (x > 0.5)) x))
  in (lo, hi, c)

-- An iteration that does more than go through the rows of the sum.
-- ==
-- entry: product
-- input { 3i64 4i64 } output { 6.979220763411922f64 }
-- input { 300i64 3i64 } output { 275.48559670781884f64 }
-- input { 3i64 0i64 } output { 1.0f64 }
entry product (n: i64) (k: i64) : f64 =
  let a = tabulate_2d n n (\i j -> f64.i64 ((i + 2 * j) % 5) / f64.i64 (3 * n))
  let (_, e) =
    loop (x, e) = (replicate n 1, 1) for _j < k do
      let x = map (\row -> f64.sum (map2 (*) row x)) a
      in (x, e + f64.sum (map (\v -> (v - 1) ** 2) x))
  in e
