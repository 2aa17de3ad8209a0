-- The adjoint of a layer's matrix is added where it is computed, and no array of all products is
-- made: the sum for the layer's input has a nest of its own, and the derivative of tanh, which both
-- need, is computed in both.
-- structure soac: prim 20
-- ==
-- entry: gradient
-- input { [[1f64, 2f64], [0.5f64, -1f64]] [[[1f64, 0.5f64], [0.25f64, -0.5f64]], [[0.5f64, 1f64], [1f64, 0.5f64]]] }
-- output { [[[0.7322112823294277f64, -1.1353652235044127f64], [1.2031631192131602f64, 0.7314121819492206f64]],
--           [[0.9417695546911403f64, -0.20673920016453085f64], [0.6516086718059001f64, 0.08473630430459583f64]]] }

def step [d] (w: [d][d]f64) (x: [d]f64) : [d]f64 = map (\r -> f64.tanh (f64.sum (map2 (*) r x))) w

entry gradient [n][d][k] (xs: [n][d]f64) (ws: [k][d][d]f64) : [k][d][d]f64 =
  vjp (\ws -> f64.sum (map (\x -> f64.sum (loop y = x for w in ws do step w y)) xs)) ws 1
