-- Derivatives of rows with parallel steps: sums that run along, stages of a transform, a sorting network.
def numbers (b: i64) (n: i64) : [b][n]f64 =
  tabulate_2d b n (\i j -> f64.i64 ((i * 131 + j * 71) % 23) / 16 - 0.5)

def total [b][n] (xs: [b][n]f64) : f64 =
  f64.sum (flatten (map2 (\i -> map2 (\j x -> x * f64.i64 ((i + 2 * j) % 5)) (iota n)) (iota b) xs))

-- A softmax that keeps a maximum and a sum as it goes: rows of different numbers of steps, which add
-- to the derivatives of other rows.
def attend [s][k] (q: [s][k]f64) (ks: [s][k]f64) : [s][k]f64 =
  map2 (\i qi ->
          let (_, z, acc) =
            loop (top, z, acc) = (f64.lowest, 0, replicate k 0) for j < i + 1 do
              let score = f64.sum (map2 (*) qi ks[j])
              let new = f64.max top score
              let (keep, add) = (f64.exp (top - new), f64.exp (score - new))
              in (new, keep * z + add, map2 (\a x -> keep * a + add * x) acc ks[j])
          in map (/ z) acc)
       (iota s) q

-- ==
-- entry: softmax
-- input { 18i64 33i64 } output { 23.048108164178387f64 3383.7142798391606f64 }
entry softmax (s: i64) (k: i64) : (f64, f64) =
  let (dq, dk) = vjp (\(q, ks) -> total (attend q ks)) (numbers s k, numbers s k) 1
  in (total dq, total dk)

-- Complex numbers, and a filter that all rows share.
def transform [n] (bits: i64) (xs: [n](f64, f64)) : [n](f64, f64) =
  loop xs for s < bits do
    let half = 1 << s
    in map (\i ->
              let k = i % half
              let j = i / (2 * half) * half + k
              let a = f64.i64 k / f64.i64 half
              let (c, d) = (f64.cos a, f64.sin a)
              let ((p, q), (u, v)) = (xs[j], xs[j + n / 2])
              let (u, v) = (c * u - d * v, c * v + d * u)
              in if (i / half) % 2 == 0 then (p + u, q + v) else (p - u, q - v))
           (iota n)

-- ==
-- entry: stages
-- input { 17i64 5i64 } output { 370.1060265173715f64 252.66448256934757f64 }
entry stages (b: i64) (bits: i64) : (f64, f64) =
  let n = 1 << bits
  let f (xs: [b][n]f64, filter: [n]f64) =
    f64.sum (map (\x -> f64.sum (map2 (\(p, q) h -> f64.log (1 + h * h * (p * p + q * q)))
                                      (transform bits (map (\v -> (v, 0)) x)) filter)) xs)
  let (dx, df) = vjp f (numbers b n, map f64.i64 (iota n)) 1
  in (total dx, total [df])

-- ==
-- entry: sorted
-- input { 17i64 5i64 } output { 944.2610000000004f64 }
entry sorted (b: i64) (bits: i64) : f64 =
  let n = 1 << bits
  let sort (xs: [n]f64) =
    loop xs for a < bits do
      loop xs for c < a + 1 do
        let d = 1 << (a - c)
        in tabulate n (\i -> if ((i >> (a + 1)) & 1 == 0) == (i & d == 0)
                             then f64.min xs[i] xs[i ^ d] else f64.max xs[i] xs[i ^ d])
  in total (vjp (\xs -> total (map (map (\x -> x * x)) (map sort xs))) (map (map (\x -> x + 0.001)) (numbers b n)) 1)

-- Adaptive filters: adjoints of all that the steps read, of which a row keeps none itself.
def errors [t][k] (mu: f64) (xs: [t][k]f64) (ys: [t]f64) : f64 =
  (loop (w, s) = (replicate k 0, 0) for i < t do
     let e = ys[i] - f64.sum (map2 (*) w xs[i])
     in (map2 (\a v -> a + mu * e * v) w xs[i], s + e * e)).1

-- ==
-- entry: filters
-- input { 18i64 6i64 33i64 } output { -7142.010329809675f64 1503.3580879971303f64 }
entry filters (b: i64) (t: i64) (k: i64) : (f64, f64) =
  let xs = tabulate_3d b t k (\r i j -> f64.i64 ((r * 7 + i * 13 + j * 29) % 31) / 31)
  let ys = tabulate_2d b t (\r i -> f64.i64 ((r * 5 + i * 3) % 11))
  let (dx, dy) = vjp (\(x, y) -> f64.sum (map2 (errors 0.01) x y)) (xs, ys) 1
  in (f64.sum (map2 (\i d -> f64.i64 (i % 7) * d) (iota (b * t * k)) (flatten_3d dx)),
      f64.sum (map2 (\i d -> f64.i64 (i % 5) * d) (iota (b * t)) (flatten dy)))
