-- European put options priced by a binomial tree: from the values at the leaves, a level of the
-- tree at a time, to the value at the root.
def put (steps: i64) (spot: f64) (strike: f64) : f64 =
  let (rate, vol, dt) = (0.02, 0.3, 1 / f64.i64 steps)
  let u = f64.exp (vol * f64.sqrt dt)
  let discount = f64.exp (-rate * dt)
  let p = (1 / discount - 1 / u) / (u - 1 / u)
  let (a, b) = (discount * p, discount * (1 - p))
  let leaves = tabulate (steps + 1) (\i -> f64.max 0 (strike - spot * u ** f64.i64 (2 * i - steps)))
  let root = loop (level: []f64) = leaves for _i < steps do
               map2 (\up down -> a * up + b * down) (tail level) (init level)
  in root[0]

entry main [n] (steps: i64) (spots: [n]f64) (strikes: [n]f64) : [n]f64 = map2 (put steps) spots strikes
