-- Entropic optimal transport in the log domain; distances are computed where they are needed, never
-- kept, and one function does both sides.
type cloud [n][d] = [n][d]f64

def distance [d] (a: [d]f64) (b: [d]f64) : f64 =
  let diff = map2 (-) a b in f64.sum (map2 (*) diff diff)

def softmin (n: i64) (eps: f64) (f: i64 -> f64) : f64 =
  let vals = tabulate n f
  let low = f64.minimum vals
  in low - eps * f64.log (f64.sum (map (\v -> f64.exp ((low - v) / eps)) vals) / f64.i64 n)

def update [n][m][d] (eps: f64) (here: cloud [n][d]) (there: cloud [m][d]) (potential: [m]f64) : [n]f64 =
  map (\p -> softmin m eps (\j -> distance p there[j] - potential[j])) here

def mean [n] (x: [n]f64) : f64 = f64.sum x / f64.i64 n

entry primal [n][m][d] (x: [n][d]f64) (y: [m][d]f64) (eps: f64) (steps: i64) : f64 =
  let init = {f = replicate n 0f64, g = replicate m 0f64}
  let done =
    loop s = init for _i < steps do
      let f = update eps x y s.g
      in {f, g = update eps y x f}
  in mean done.f + mean done.g

entry gradient [n][m][d] (x: [n][d]f64) (y: [m][d]f64) (eps: f64) (steps: i64) : [n][d]f64 =
  vjp (\x -> primal x y eps steps) x 1
