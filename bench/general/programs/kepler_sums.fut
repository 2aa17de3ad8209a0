-- Kepler's equation for many bodies of shared eccentricity and phase, each to a tolerance; the state of
-- a search is a value of a sum type.
type search = #searching {guess: f64, left: i32} | #found f64

def advance (e: f64) (m: f64) (s: search) : search =
  match s
  case #found v -> #found v
  case #searching {guess, left} ->
    let delta = (guess - e * f64.sin guess - m) / (1 - e * f64.cos guess)
    let next = guess - delta
    in if f64.abs delta < 1e-12 || left == 0
       then #found next
       else #searching {guess = next, left = left - 1}

def unfinished (s: search) : bool = match s case #found _ -> false case #searching _ -> true

def result (s: search) : f64 = match s case #found v -> v case #searching r -> r.guess

def anomaly (e: f64) (m: f64) : f64 =
  let start: search = #searching {guess = m + e * f64.sin m, left = 30}
  in result (loop s = start while unfinished s do advance e m s)

entry primal [n] (orbit: [3]f64) (ms: [n]f64) : f64 =
  let (a, e, phase) = (orbit[0], orbit[1], orbit[2])
  let height m = let v = anomaly e (m + phase) in a * f64.sqrt (1 - e * e) * f64.sin v
  in f64.sum (map (\m -> let y = height m in y * y * (1 + y)) ms) / f64.i64 n

entry gradient [n] (orbit: [3]f64) (ms: [n]f64) : [3]f64 = vjp (\o -> primal o ms) orbit 1
