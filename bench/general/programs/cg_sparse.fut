-- Conjugate gradients on a weighted graph's Laplacian plus one, a fixed number of steps; edges are a
-- list, products add up by vertex.
def dot [n] (a: [n]f64) (b: [n]f64) : f64 = f64.sum (map2 (*) a b)

def product [e][n] (from: [e]i64) (to: [e]i64) (weight: [e]f64) (x: [n]f64) : [n]f64 =
  let flow = map3 (\i j w -> w * (x[i] - x[j])) from to weight
  let y = reduce_by_index (copy x) (+) 0 from flow
  in reduce_by_index y (+) 0 to (map f64.neg flow)

entry primal [e][n] (from: [e]i64) (to: [e]i64) (weight: [e]f64) (b: [n]f64) (steps: i64) : f64 =
  let (x, _, _, _) =
    loop (x, r, p, rr) = (replicate n 0, b, b, dot b b) for _i < steps do
      let ap = product from to weight p
      let alpha = rr / dot p ap
      let x = map2 (\u v -> u + alpha * v) x p
      let r = map2 (\u v -> u - alpha * v) r ap
      let rr' = dot r r
      in (x, r, map2 (\u v -> u + rr' / rr * v) r p, rr')
  in dot x b

entry gradient [e][n]
               (from: [e]i64) (to: [e]i64) (weight: [e]f64) (b: [n]f64) (steps: i64) : ([e]f64, [n]f64) =
  vjp (\(w, b) -> primal from to w b steps) (weight, b) 1
