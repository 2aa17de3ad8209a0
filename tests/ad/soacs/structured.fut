-- Reductions of rows column by column, and scans of several numbers that depend on each other one
-- way only, over sizes that are not known.
-- ==
-- input { 5i64 3i64 } output { [true, true, true, true, true, true, true, true] }
-- input { 1i64 1i64 } output { [true, true, true, true, true, true, true, true] }
-- input { 0i64 2i64 } output { [true, true, true, true, true, true, true, true] }
-- input { 4i64 0i64 } output { [true, true, true, true, true, true, true, true] }
import "../loops/lib/agree"

def rows [n] (k: i64) (x: [n]f64) : [n][k]f64 =
  map (\v -> tabulate k (\j -> f64.sin (v * f64.i64 (j + 1)))) x

def columns [n] (op: f64 -> f64 -> f64) (ne: f64) (k: i64) (x: [n]f64) : [k]f64 =
  reduce (map2 op) (replicate k ne) (rows k x)

def zeros [n] (k: i64) (x: [n]f64) : [k]f64 =
  reduce (map2 (*)) (replicate k 1) (map (map (\v -> if v > 0.8 then 0 * v else v)) (rows k x))

def linear [n] (x: [n]f64) : [n]f64 =
  let op (a, b) (c, d) = (a * c, b * c + d)
  in map (\(a, b) -> a + b * b) (scan op (1, 0) (map (\v -> (f64.cos v, v)) x))

def moments [n] (x: [n]f64) : [n]f64 =
  let op (s1, q1, c1) (s2, q2, c2) = (s1 + s2, q1 + q2 + s1 * s2, c1 + c2 + s1 * q2 + q1 * s2)
  in map (\(a, b, c) -> a + b * c) (scan op (0, 0, 0) (map (\v -> (v, 0.5 * v, v * v)) x))

def apart [n] (x: [n]f64) : [n]f64 =
  let op (a, b, c) (d, e, f) = (a * d, b + e, f64.max c f)
  in map (\(a, b, c) -> a * b * c) (scan op (1, 0, f64.lowest) (map (\v -> (v, f64.sin v, v)) x))

entry main (n: i64) (k: i64) =
  let x = tabulate n (\i -> f64.sin (1.3 * f64.i64 i + 0.4))
  in [agree_vector (columns f64.max f64.lowest k) x || n == 0,
      agree_vector (columns f64.min f64.highest k) x || n == 0,
      agree_vector (columns (*) 1 k) x,
      agree_vector (zeros k) x,
      agree_vector linear x,
      agree_vector moments x,
      agree_vector apart x,
      agree_second (\x -> f64.sum (columns (*) 1 k x)) x
      && agree_second (\x -> f64.sum (linear x)) x
      && agree_second (\x -> f64.sum (moments x)) x]
-- Ties go to the first row, column by column; products with zeros are right.
-- ==
-- entry: ties
-- input { [[1.0, 2.0], [1.0, 3.0], [0.5, 3.0]] } output { [[1.0, 0.0], [0.0, 10.0], [0.0, 0.0]] }
entry ties [n][m] (a: [n][m]f64) : [n][m]f64 =
  vjp (reduce (map2 f64.max) (replicate m f64.lowest)) a (tabulate m (\j -> f64.i64 (1 + 9 * j)))
-- ==
-- entry: products
-- input { [[2.0, 0.0], [3.0, 5.0], [4.0, 7.0]] } output { [[12.0, 35.0], [8.0, 0.0], [6.0, 0.0]] }
entry products [n][m] (a: [n][m]f64) : [n][m]f64 =
  vjp (reduce (map2 (*)) (replicate m 1)) a (replicate m 1)
