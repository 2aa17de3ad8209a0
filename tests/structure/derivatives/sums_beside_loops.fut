-- What is added for all rows is computed of sums, but also of arrays that loops of the rows make: it is not stored for
-- a product of its own, since the nest has more to add (acc_pull.c).
-- structure soac: upd_acc 2
-- ==
-- entry: gradient
-- input { [[1f64, 0.5f64], [-0.25f64, 1f64]] [[[0.5f64, -1f64], [0.25f64, 1f64]]] [[0.5f64, -0.25f64]] }
-- output { [[[-0.19009632947308908f64, -0.6370091562331739f64], [-0.34577898203705637f64, -0.672539686848614f64]]] [[-0.7922752089137883f64, -0.9009458662927072f64]]  }
def tree [k][d] (w: [k][d]f64) (b: [k]f64) (x: [d]f64) : f64 =
  let go = map2 (\w b -> 1 / (1 + f64.exp (b + f64.sum (map2 (*) w x)))) w b
  let reach = loop reach = replicate k 1 for i < k do map2 (\r g -> r * g + 0.5 * go[i]) reach go
  in f64.sum reach

entry gradient [n][d][t][k] (xs: [n][d]f64) (w: [t][k][d]f64) (b: [t][k]f64) : ([t][k][d]f64, [t][k]f64) =
  vjp (\(w, b) -> f64.sum (map (\x -> f64.sum (map2 (\w b -> tree w b x) w b)) xs)) (w, b) 1
