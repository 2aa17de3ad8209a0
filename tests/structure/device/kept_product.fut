-- A product of matrices that the way back needs is the one of the way there; what is computed from its
-- elements before they are added up is done with the sum.
-- structure soac,gpu: loop.kernel 29, loop.blocks 10
-- ==
-- input { [[[1f64, 2f64], [3f64, 4f64]], [[0.5f64, -1f64], [2f64, 0f64]]] [[1f64, 0f64], [0f64, 2f64]]
--         [[1f64, 2f64], [3f64, 4f64], [-1f64, 5f64]] }
-- output { [[-1.2717418523344928f64, -1.8190685391961576f64],
--          [-9.714919684701548e-2f64, -1.5082183437797117e-2f64]] }
entry main [n][k][d] (q: [k][d][d]f64) (mu: [k][d]f64) (x: [n][d]f64) : [k][d]f64 =
  let point xi muk qk =
    let v = map2 (-) xi muk
    in f64.sum (map (\row -> let s = f64.sum (map2 (*) row v) in s * s) qk)
  in vjp (\mu -> f64.sum (map (\xi -> f64.log (f64.sum (map2 (point xi) mu q))) x)) mu 1
