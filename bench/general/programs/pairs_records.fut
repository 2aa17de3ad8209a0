-- The energy of charges that act on each other: particles are records, the sum over pairs is a
-- reduction of reductions.
type particle = {x: f64, y: f64, z: f64, q: f64}

def energy (a: particle) (b: particle) : f64 =
  let d2 = (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2 + 0.01
  in a.q * b.q / f64.sqrt d2

def self (a: particle) : f64 = energy a a

def total [n] (ps: [n]particle) : f64 =
  let on p = reduce (+) 0 (map (energy p) ps) - self p
  in reduce (+) 0 (map on ps) / 2

entry primal [n] (pos: [n][3]f64) (charge: [n]f64) : f64 =
  total (map2 (\p q -> {x = p[0], y = p[1], z = p[2], q}) pos charge) / f64.i64 n

entry gradient [n] (pos: [n][3]f64) (charge: [n]f64) : ([n][3]f64, [n]f64) =
  vjp (\(pos, charge) -> primal pos charge) (pos, charge) 1
