-- A book of contracts of several kinds on paths of one price: a sum type, matched for each path.
type contract = #call f64 | #put f64 | #asian f64 | #barrier f64 f64

def contract (kind: i64) (a: f64) (b: f64) : contract =
  if kind == 0 then #call a else if kind == 1 then #put a else if kind == 2 then #asian a else #barrier a b

type summary = {last: f64, mean: f64, top: f64}

def soft (x: f64) = 0.05 * f64.log (1 + f64.exp (x / 0.05))

def pay (s: summary) (c: contract) : f64 =
  match c
  case #call k -> soft (s.last - k)
  case #put k -> soft (k - s.last)
  case #asian k -> soft (s.mean - k)
  case #barrier k h -> if s.top > h then 0 else soft (s.last - k)

entry primal [p] [t] [c] (z: [p][t]f64) (kind: [c]i64) (a: [c]f64) (b: [c]f64) (theta: [2]f64) : f64 =
  let (mu, sigma) = (theta[0], theta[1])
  let dt = 1 / f64.i64 t
  let walk (e: [t]f64) : summary =
    let (x, sum, top) =
      loop (x, sum, top) = (1, 0, 1)
      for i < t do
        let y = x * f64.exp ((mu - sigma * sigma / 2) * dt + sigma * f64.sqrt dt * e[i])
        in (y, sum + y, f64.max top y)
    in {last = x, mean = sum / f64.i64 t, top}
  let book = map3 contract kind a b
  let worth s = f64.sum (map (pay s) book)
  in f64.exp (-mu) * f64.sum (map (\e -> worth (walk e)) z) / f64.i64 p

entry gradient [p] [t] [c] (z: [p][t]f64) (kind: [c]i64) (a: [c]f64) (b: [c]f64) (theta: [2]f64) =
  vjp (\(a, theta) -> primal z kind a b theta) (a, theta) 1
