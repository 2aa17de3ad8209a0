-- A sum of shifted pictures, as a reduction of matrices: each element has its own sum, no shifted picture
-- is made.
-- structure soac: screma.reduce 2, screma 4
-- ==
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] [0.5f64, -1f64, 2f64] }
-- output { [[-0.75f64, 0.5f64, 11f64], [-1.5f64, 1.25f64, 21.5f64]] [19f64, 54f64, 103.5f64] }
def shifted [h][w] (d: i64) (x: [h][w]f64) : [h][w]f64 =
  tabulate_2d h w (\i j -> let z = j + d in if z >= 0 && z < w then x[i, z] else 0)

def value [h][w] (x: [h][w]f64) (k: [3]f64) : f64 =
  let scaled q = map (map (* k[q])) (shifted (q - 1) x)
  let y = reduce (map2 (map2 (+))) (replicate h (replicate w 0)) (map scaled (iota 3))
  in 0.5 * f64.sum (map (\v -> v * v) (flatten y))

entry main [h][w] (x: [h][w]f64) (k: [3]f64) : ([h][w]f64, [3]f64) =
  vjp (\(x, k) -> value x k) (x, k) 1
