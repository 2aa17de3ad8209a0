-- The sums of a gradient over all pairs: what is added for the components of one of the two comes from the same distance,
-- so one kernel sums it for all of them.
-- structure soac,gpu: loop.kernel 4, loop.blocks 5
-- ==
-- input { [1f64, -2f64, 0.5f64, 3f64] [0f64, 1f64, -1f64, 2f64] [1f64, 2f64, 1f64, 0.5f64] }
-- output { [-0.275571844517164f64, 0.33260737091157283f64, 0.03472268300803884f64, -0.09175820940244771f64] [-0.20443901479057497f64, -0.15369864896756782f64, 0.42520120212814017f64, -0.0670635383699974f64] [2.4363560224888605f64, 2.695878786442673f64, 2.3869861952558193f64, 1.4663029819715008f64] }
-- input { [1f64] [2f64] [3f64] } output { [0f64] [0f64] [3f64] }
-- input { empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) }
type body = {x: f64, y: f64, m: f64}

def energy (a: body) (b: body) : f64 =
  a.m * b.m / f64.sqrt ((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + 1)

entry main [n] (xs: [n]f64) (ys: [n]f64) (ms: [n]f64) : ([n]f64, [n]f64, [n]f64) =
  let total (xs, ys, ms) =
    let bodies = map3 (\x y m -> {x, y, m}) xs ys ms
    in f64.sum (map (\a -> f64.sum (map (energy a) bodies)) bodies) / 2
  in vjp total (xs, ys, ms) 1
