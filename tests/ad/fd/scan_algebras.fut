-- Scans and folds over matrices, quaternions, affine maps, tropical matrices, velocities, moments.
-- ==
-- input { } output {
--   [true, true, true, true, true, true, true, true, true, true, true, true,
--    true, true, true, true, true, true, true] }
import "lib/fd"
type m2 = (f64, f64, f64, f64)
def mm ((a, b, c, d): m2) ((e, f, g, h): m2) : m2 =
  (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)
def matscan [n] (x: [n]f64) : []f64 =
  let ms = map (\v -> (f64.cos v, v, -v, 1 + v * v)) x
  let ys = scan mm (1, 0, 0, 1) ms
  in map (\(a, b, c, d) -> a * d - 2 * b * c) ys
-- quaternions
type q = (f64, f64, f64, f64)
def qm ((a1, b1, c1, d1): q) ((a2, b2, c2, d2): q) : q =
  ( a1 * a2 - b1 * b2 - c1 * c2 - d1 * d2
  , a1 * b2 + b1 * a2 + c1 * d2 - d1 * c2
  , a1 * c2 - b1 * d2 + c1 * a2 + d1 * b2
  , a1 * d2 + b1 * c2 - c1 * b2 + d1 * a2
  )
def quat [n] (x: [n]f64) : [4]f64 =
  let (a, b, c, d) = reduce
                       qm
                       (1, 0, 0, 0)
                       (map2 (\v i -> (1, v, f64.i64 i * v, v * v)) x (iota n))
  in [a, b, c, d]
-- affine with vectors of 3: rows are arrays
def affarr [n] (x: [n]f64) : []f64 =
  let op (a: f64, b: [3]f64) (c: f64, d: [3]f64) =
    (a * c, map2 (\p q -> p * c + q) b d)
  let el = map2 (\v i -> (f64.sin v, [v, v * v, f64.i64 i])) x (iota n)
  in flatten (map (\(a, b) -> map (*a) b) (scan op (1, [0, 0, 0]) el))
-- max-plus matrices (tropical), piecewise linear
def tropical [n] (x: [n]f64) : []f64 =
  let op (a, b, c, d) (e, f, g, h) = ( f64.max (a + e) (b + g)
                                     , f64.max (a + f) (b + h)
                                     , f64.max (c + e) (d + g)
                                     , f64.max (c + f) (d + h)
                                     )
  in map
       (\(a, b, c, d) -> a + 2 * b + 3 * c + 4 * d)
       (scan
          op
          (0, f64.lowest, f64.lowest, 0)
          (map (\v -> (v, 0.3 * v * v, f64.sin v, 0.1 - v)) x))
-- smooth saturation with relativistic addition, free variable
def relativ [n] (x: [n]f64) : []f64 =
  let c = x[0] * x[0] + 3
  let ys = scan (\u v -> (u + v) / (1 + u * v / (c * c))) 0 (map f64.tanh x)
  in ys
-- running mean/variance (Chan's)
def chan [n] (x: [n]f64) : []f64 =
  let op (na: f64, ma: f64, sa: f64) (nb: f64, mb: f64, sb: f64) =
    if na == 0 then (nb, mb, sb) else if nb == 0 then (na, ma, sa) else
      let d = mb - ma
      let nn = na + nb
      in (nn, ma + d * nb / nn, sa + sb + d * d * na * nb / nn)
  in map
       (\(n, m, s) -> m + f64.sqrt (s / n + 0.01))
       (scan op (0, 0, 0) (map (\v -> (1, v, 0)) x))
-- scan over booleans and ints carrying index, last-nonneg (copy scan)
def lastpos [n] (x: [n]f64) : []f64 =
  let op (fa, a) (fb, b) = if fb then (fb, b) else (fa, a)
  in map
       (\(f, v) -> if f then v * v else 0)
       (scan op (false, 0) (map (\v -> (v > 0, v)) x))
-- product scan with zeros
def pz [n] (x: [n]f64) : []f64 = scan (*) 1 (map (\v -> v * (v - 0.5)) x)
-- lse scan
def lses [n] (x: [n]f64) : []f64 =
  scan
    (\a b ->
       let m = f64.max a b
       in if m == f64.lowest
          then m
          else m + f64.log (f64.exp (a - m) + f64.exp (b - m)))
    f64.lowest
    x
-- exscan of maximum inside map, rows
def rowsmax [n] (x: [n]f64) : []f64 =
  let rows =
    map (\i -> map (\v -> v * f64.cos (f64.i64 i) + 0.01 * v * v) x) (iota 3)
  in map
       f64.sum
       (map
          (\r -> map (\v -> f64.max v (-5)) (exscan f64.max f64.lowest r))
          rows)
def x6 : [6]f64 = [0.7, -1.3, 0.4, 1.9, -0.6, 0.25]
def weigh [n] (x: [n]f64) =
  f64.sum (map2 (\i v -> v * f64.sin v + v * f64.i64 i) (iota n) x)

entry main =
  [ check matscan x6
  , check quat x6
  , check affarr x6
  , check tropical x6
  , check relativ x6
  , check chan x6
  , check lastpos x6
  , check pz [0.3, 0.5, 0, -1, 0.5, 2]
  , check lses x6
  , check rowsmax x6
  , check_hessian (\x -> weigh (matscan x)) x6
  , check_hessian (\x -> weigh (quat x)) x6
  , check_hessian (\x -> weigh (affarr x)) x6
  , check_hessian (\x -> weigh (tropical x)) x6
  , check_hessian (\x -> weigh (relativ x)) x6
  , check_hessian (\x -> weigh (chan x)) x6
  , check_hessian (\x -> weigh (lastpos x)) x6
  , check_hessian (\x -> weigh (pz x)) [0.3, 0.5, 0, -1, 0.5, 2]
  , check_hessian (\x -> weigh (lses x)) x6
  ]
