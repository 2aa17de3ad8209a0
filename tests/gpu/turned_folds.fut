-- Reductions by maps of operators, of rows that a map makes: the map goes outside.
-- ==
-- entry: shifted
-- input { [[1f32, 2f32, 3f32], [4f32, 5f32, 6f32]] [1f32, 10f32, 100f32] }
-- output { [[321f32, 32f32, 3f32], [654f32, 65f32, 6f32]] }
-- input { empty([2][0]f32) [1f32, 10f32] }
-- output { empty([2][0]f32) }
-- input { [[1f32, 2f32], [3f32, 4f32]] empty([0]f32) }
-- output { [[0f32, 0f32], [0f32, 0f32]] }
def shift [w] (d: i64) (row: [w]f32) : [w]f32 =
  tabulate w (\j -> if j + d < w then row[j + d] else 0)

entry shifted [h][w][n] (xss: [h][w]f32) (ks: [n]f32) : [h][w]f32 =
  map (\row -> reduce (map2 (+)) (replicate w 0)
                      (map2 (\d k -> map (* k) (shift d row)) (iota n) ks)) xss

-- Rows of what the reduction goes through, elements that are arrays, an order that counts.
-- ==
-- entry: columns
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]]] [2i32, 3i32] }
-- output { [[22i32, 27i32], [32i32, 37i32]] [[15i32, 18i32], [21i32, 24i32]] [[2i32, 4i32], [6i32, 8i32]] }
entry columns [n][h][w] (xsss: [n][h][w]i32) (ks: [n]i32) =
  let scaled = map2 (\k -> map (map (* k))) ks xsss
  let sum = reduce (map2 (map2 (+))) (replicate h (replicate w 0))
                   (map2 (\k -> map (map (\x -> x * k + k))) ks xsss)
  let last = reduce (map2 (map2 (\x y -> if y == i32.lowest then x else y)))
                    (replicate h (replicate w i32.lowest)) scaled
  let first = reduce (map2 (map2 (\x y -> if x == i32.lowest then y else x)))
                     (replicate h (replicate w i32.lowest)) scaled
  in (sum, last, first)

-- Two values at once, with neutral elements that are computed.
-- ==
-- entry: extremes
-- input { [[3f64, -1f64, 4f64], [1f64, 5f64, -9f64]] [1f64, 2f64, 3f64] }
-- output { [4f64, 8f64, 12f64] [-1f64, 1f64, 7f64] }
entry extremes [n][m] (xss: [n][m]f64) (starts: [m]f64) =
  unzip (reduce (map2 (\(a, b) (c, d) -> (f64.max a c, f64.min b d)))
                (map (\s -> (s - f64.inf, s + f64.inf)) starts)
                (map2 (\i row -> let k = f64.i64 (2 * i + 1)
                                 in map (\x -> (x + k, x * 2 - k)) (map f64.abs row))
                      (iota n) xss))

-- Derivatives.
-- ==
-- entry: gradient
-- input { [[3f64, -1f64, 4f64], [1f64, 5f64, -9f64]] [1f64, 2f64] }
-- output { [[1f64, 1f64, 1f64], [2f64, 2f64, 2f64]] [6f64, -3f64] }
entry gradient [n][m] (xss: [n][m]f64) (ks: [n]f64) =
  vjp (\(xss, ks) -> f64.sum (reduce (map2 (+)) (replicate m 0)
                                     (map2 (\row k -> map (* k) row) xss ks)))
      (xss, ks) 1
