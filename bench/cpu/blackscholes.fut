-- The prices of European call options.
def cdf (d: f64) : f64 =
  let k = 1 / (1 + 0.2316419 * f64.abs d)
  let p = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  let q = 0.39894228040143268 * f64.exp (-0.5 * d * d) * p
  in if d > 0 then 1 - q else q

def call (r: f64) (v: f64) (s: f64) (x: f64) (t: f64) : f64 =
  let d1 = (f64.log (s / x) + (r + v * v / 2) * t) / (v * f64.sqrt t)
  let d2 = d1 - v * f64.sqrt t
  in s * cdf d1 - x * f64.exp (-r * t) * cdf d2

entry main [n] (ss: [n]f64) (xs: [n]f64) (ts: [n]f64) : [n]f64 = map3 (call 0.02 0.3) ss xs ts
