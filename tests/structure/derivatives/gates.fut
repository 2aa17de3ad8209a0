-- A row of gates, twice as long as the state, is kept: the return sweep does not multiply again.
-- structure soac: screma.reduce 3
-- ==
-- input { [[0.5f64, -0.25f64], [1f64, 0.75f64], [-0.5f64, 0.25f64]]
--         [[0.1f64, 0.2f64], [0.3f64, -0.1f64], [0.2f64, 0.5f64], [-0.4f64, 0.6f64]] }
-- output { [[2.39410625243572f64, 1.5124845424242204f64], [-2.121352952735647f64, 0.8397542390558372f64], [0.89919610225074f64, 0.5270715644645811f64], [4.070275420004528f64, 1.5756645110175727f64]] }
def step [b][h] (w: [2 * h][h]f64) (s: [b][h]f64) : [b][h]f64 =
  let gates = map (\r -> map (\row -> f64.sum (map2 (*) row r)) w) s
  in map (\(g: [2 * h]f64) -> tabulate h (\i -> f64.tanh g[i] * f64.tanh g[h + i])) gates

def cost [b][h] (s: [b][h]f64) (w: [2 * h][h]f64) : f64 =
  let end = loop s = s for _i < 5i64 do map2 (map2 (+)) s (step w s)
  in f64.sum (map f64.sum end)

entry main [b][h] (s: [b][h]f64) (w: [2 * h][h]f64) : [2 * h][h]f64 = vjp (cost s) w 1
