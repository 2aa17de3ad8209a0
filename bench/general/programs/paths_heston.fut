-- A barrier option when the variance itself is random: two normal numbers a step; paths that fall too
-- low are worth nothing.  States are records, the fate of a path a sum type.
type model = {s0: f64, v0: f64, kappa: f64, theta: f64, xi: f64, rho: f64}
type fate = #alive {s: f64, v: f64} | #out

def step (m: model) (dt: f64) (barrier: f64) (f: fate) (z1: f64, z2: f64) : fate =
  match f
  case #out -> #out
  case #alive {s, v} ->
    let w = m.rho * z1 + f64.sqrt (1 - m.rho * m.rho) * z2
    let root = f64.sqrt (v * dt)
    let s' = s * f64.exp (root * z1 - 0.5 * v * dt)
    let v' = f64.max 1e-4 (v + m.kappa * (m.theta - v) * dt + m.xi * root * w)
    in if s' < barrier then #out else #alive {s = s', v = v'}

def worth (strike: f64) (f: fate) : f64 =
  match f
  case #alive {s, v = _} -> f64.max 0 (s - strike)
  case #out -> 0

entry primal [n][t] (p: [6]f64) (z: [n][t][2]f64) : f64 =
  let m: model = {s0 = p[0], v0 = p[1], kappa = p[2], theta = p[3], xi = p[4], rho = p[5]}
  let path (zs: [t][2]f64) : fate =
    loop f = (#alive {s = m.s0, v = m.v0} : fate) for e in zs do
      step m (1 / f64.i64 t) 80 f (e[0], e[1])
  in f64.sum (map (\zs -> worth 100 (path zs)) z) / f64.i64 n

entry gradient [n][t] (p: [6]f64) (z: [n][t][2]f64) : [6]f64 = vjp (\p -> primal p z) p 1
