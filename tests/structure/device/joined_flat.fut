-- Layers by flat maps: their gradients add up each row once, in the rows that make the adjoints, and not in a flat
-- map before these too.
-- structure soac: loop 1
-- ==
-- input { [[1f64, 2f64], [-1f64, 0.5f64]] [[1f64, 1f64], [2f64, -1f64], [0f64, 1f64]] }
-- output { [[6f64, 10f64], [-0.11f64, 1.04f64]] [[6.01f64, 11.995f64], [0.05f64, -0.025f64], [3f64, 8.5f64]] }
-- input { empty([0][2]f64) [[1f64, 1f64]] } output { empty([0][2]f64) [[0f64, 0f64]] }
def layer [n] [m] [l] (x: [n][m]f64) (a: [l][m]f64) : f64 =
  let out =
    tabulate (n * l) (\p ->
                        let (i, j) = (p / l, p % l)
                        let s = loop s = 0 for q < m do s + x[i, q] * a[j, q]
                        in if s > 0 then s else 0.1 * s)
  in f64.sum (map (\v -> v * v) out)

entry main [n] [m] [l] (x: [n][m]f64) (a: [l][m]f64) = vjp (\(x, a) -> layer x a) (x, a) 1
