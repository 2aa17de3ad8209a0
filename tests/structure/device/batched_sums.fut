-- Derivatives by weights that all steps use: one product for each after the loop, of the rows of all steps.
-- structure soac,batch_sums: loop 2, scratch 2, reshape 3
-- ==
-- input { [[[1f64, 2f64], [0.5f64, -1f64]], [[-1f64, 0f64], [2f64, 0.25f64]], [[0.75f64, 1f64], [1f64, 1f64]]]
--         [[0.1f64, 0.2f64], [-0.3f64, 0.4f64], [0.5f64, 0.6f64]]
--         [[0.1f64, 0f64, -0.2f64], [0.3f64, 0.5f64, 0.1f64], [-0.4f64, 0.2f64, 0.3f64]] }
-- output { [[2.0420693681584132f64, 1.9882090375549495f64],
--           [2.1352024049714124f64, 2.047342423410449f64],
--           [0.6379166520218588f64, 0.7387684748252791f64]]
--          [[0.12642437390006095f64, -9.712772435558575e-2f64, 0.5740861083115889f64],
--           [0.17874245213632603f64, -0.14214468394408114f64, 0.6724962303933208f64],
--           [2.8991162366826282e-2f64, -2.4556126450761058e-2f64, 0.18481214582489133f64]] }
def cost [n][b][d][h] (xs: [n][b][d]f64) (w: [h][d]f64, u: [h][h]f64) : f64 =
  let dot [k] (x: [k]f64) (y: [k]f64) = f64.sum (map2 (*) x y)
  let end =
    loop s = replicate b (replicate h 0)
    for t < n do
      let sums = map2 (\x r -> map2 (\p q -> dot p x + dot q r) w u) xs[t] s
      in map (map f64.tanh) sums
  in f64.sum (map f64.sum end)

entry main [n][b][d][h] (xs: [n][b][d]f64) (w: [h][d]f64) (u: [h][h]f64) : ([h][d]f64, [h][h]f64) =
  vjp (cost xs) (w, u) 1
