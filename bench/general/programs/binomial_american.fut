-- American options on binomial trees: for each option a loop back in time over values that shrink to
-- one; sensitivities of the sum to every option's data.
type option = {s: f32, k: f32, r: f32, v: f32, t: f32}

def price (steps: i64) (o: option) : f32 =
  let dt = o.t / f32.i64 steps
  let u = f32.exp (o.v * f32.sqrt dt)
  let p = (f32.exp (o.r * dt) - 1 / u) / (u - 1 / u)
  let discount = f32.exp (-o.r * dt)
  let exercise level i = f32.max 0 (o.k - o.s * u ** f32.i64 (2 * i - level))
  let leaves = map (exercise steps) (iota (steps + 1))
  let values =
    loop values = leaves for q < steps do
      let level = steps - 1 - q
      in map (\i ->
                if i > level
                then 0
                else f32.max (exercise level i) (discount * (p * values[i + 1] + (1 - p) * values[i])))
             (iota (steps + 1))
  in values[0]

entry primal [n] (options: [n][5]f32) (steps: i64) : f32 =
  f32.sum (map (\o -> price steps {s = o[0], k = o[1], r = o[2], v = o[3], t = o[4]}) options) / f32.i64 n

entry gradient [n] (options: [n][5]f32) (steps: i64) : [n][5]f32 = vjp (\o -> primal o steps) options 1
