-- Prices of European options by the formula of Black and Scholes.
-- ==
-- input { [true, false, true, false] [100.0f64, 100.0f64, 10.0f64, 42.0f64] [95.0f64, 95.0f64, 30.0f64, 40.0f64] [1.0f64, 1.0f64, 0.5f64, 2.0f64] }
-- output { [18.387061343683847f64, 6.083114250414241f64, 2.0169604587326478e-07f64, 3.17790318379528f64] }

def horner (x: f64) : f64 =
  let (c1, c2, c3, c4, c5) = (0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
  in x * (c1 + x * (c2 + x * (c3 + x * (c4 + x * c5))))

def cnd0 (d: f64) : f64 =
  let k = 1 / (1 + 0.2316419 * f64.abs d)
  let p = horner k
  let rsqrt2pi = 0.39894228040143267793994605993438
  in rsqrt2pi * f64.exp (-0.5 * d * d) * p

def cnd (d: f64) : f64 = let c = cnd0 d in if 0 < d then 1 - c else c

def price (call: bool, s: f64, k: f64, t: f64) : f64 =
  let (r, v) = (0.08, 0.3)
  let sq = v * f64.sqrt t
  let d1 = (f64.log (s / k) + (r + 0.5 * v * v) * t) / sq
  let d2 = d1 - sq
  let disc = k * f64.exp (-r * t)
  in if call then s * cnd d1 - disc * cnd d2 else disc * cnd (-d2) - s * cnd (-d1)

entry main [n] (call: [n]bool) (s: [n]f64) (k: [n]f64) (t: [n]f64) : [n]f64 =
  map price (zip4 call s k t)
