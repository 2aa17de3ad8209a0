-- A loop of a large function is a function of its own, and the only memory that this has is that of lanes.
-- ==
-- input { [0.5f64, 0.25f64, 0.75f64] 2i64 } output { [0f64, 0f64, 1101f64] }
-- input { [0.5f64, 0.25f64, 0.75f64] 70i64 } output { [0f64, 0f64, 1305150f64] }
def largest [n][m] (k: f64) (x: [n]f64) (z: [m]f64) : f64 =
  f64.sum (map (\e -> loop s = e for y in x do f64.max s (y * k)) z)

def f [n][m] (z: [m]f64) (x: [n]f64) : f64 =
  largest 1 x z + largest 2 x z * largest 3 x z + largest 4 x z + largest 5 x z * largest 6 x z
  + largest 7 x z * largest 8 x z + largest 9 x z * largest 10 x z

entry main [n] (x: [n]f64) (k: i64) : [n]f64 = vjp (f (tabulate k (\i -> f64.i64 (i % 5)))) x 1
