-- The smile of implied volatilities: prices by Black and Scholes are fitted by a parabola of the
-- strike; forward mode along all inputs at once gives how each error moves.
def phi (x: f64) : f64 = 0.5 * (1 + f64.erf (x / f64.sqrt 2))

def call (s: f64) (k: f64) (t: f64) (v: f64) : f64 =
  let w = v * f64.sqrt t
  let d1 = (f64.log (s / k) + 0.5 * v * v * t) / w
  in s * phi d1 - k * phi (d1 - w)

entry primal [n] (spot: [n]f64) (strike: [n]f64) (time: [n]f64) (quote: [n]f64) (smile: [3]f64) : [n]f64 =
  map4 (\s k t q ->
          let m = f64.log (k / s)
          let v = f64.exp smile[0] + smile[1] * m + smile[2] * m * m
          in call s k t (f64.max 0.01 v) - q)
       spot strike time quote

entry gradient [n] (spot: [n]f64) (strike: [n]f64) (time: [n]f64) (quote: [n]f64) (smile: [3]f64) : [n]f64 =
  jvp (\(s, p) -> primal s strike time quote p) (spot, smile) (replicate n 1, [1, 1, 1])
