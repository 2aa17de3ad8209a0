-- The price of an option on the mean of a path, by Monte Carlo with given normal numbers; and what it
-- depends on: start, rate, volatility, strike.
entry primal [n][t] (market: [4]f64) (z: [n][t]f64) : f64 =
  let (s0, r, sigma, strike) = (market[0], market[1], market[2], market[3])
  let dt = 1 / f64.i64 t
  let path zs =
    let (_, total) =
      loop (s, total) = (s0, 0) for e in zs do
        let s = s * f64.exp ((r - 0.5 * sigma * sigma) * dt + sigma * f64.sqrt dt * e)
        in (s, total + s)
    in f64.max 0 (total / f64.i64 t - strike)
  in f64.exp (-r) * f64.sum (map path z) / f64.i64 n

entry gradient [n][t] (market: [4]f64) (z: [n][t]f64) : [4]f64 = vjp (\p -> primal p z) market 1
