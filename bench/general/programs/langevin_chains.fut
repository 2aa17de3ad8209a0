-- Chains of Langevin's method for a logistic posterior with given noise: each step takes a gradient by
-- vjp; what the mean of the chains does when the prior changes.
def logpost [m][d] (a: [m][d]f64) (y: [m]f64) (prior: [2]f64) (x: [d]f64) : f64 =
  let fit = map2 (\r t -> f64.log1p (f64.exp (-t * f64.sum (map2 (*) r x)))) a y
  in -(f64.sum fit) - 0.5 * f64.exp prior[0] * f64.sum (map (\v -> (v - prior[1]) ** 2) x)

entry primal [m][d][c][t] (a: [m][d]f64) (y: [m]f64) (prior: [2]f64) (noise: [c][t][d]f64) : f64 =
  let eps = 0.02
  let chain es =
    loop x = replicate d 0 for e in es do
      let g = vjp (logpost a y prior) x 1
      in map3 (\x g e -> x + eps * g + f64.sqrt (2 * eps) * e) x g e
  in f64.sum (map (\es -> f64.sum (map f64.tanh (chain es))) noise) / f64.i64 c

entry gradient [m][d][c][t] (a: [m][d]f64) (y: [m]f64) (prior: [2]f64) (noise: [c][t][d]f64) : [2]f64 =
  vjp (\p -> primal a y p noise) prior 1
