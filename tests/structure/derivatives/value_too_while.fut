-- A value and its gradient, where a row iterates until little moves: the loop that gives the value also writes the tape
-- (join_twins), as both end by the same condition.
-- structure sequential: loop 2
-- ==
-- entry: both
-- input { [0.5f64, 2f64, 0.1f64] 0.7f64 }
-- output { 1.6815207172492475f64 1.145726520351187f64 }

def settle (w: f64) (u: f64) : f64 =
  let (z, _, _) =
    loop (z, moved, i) = (u, f64.inf, 0i64) while moved > 1e-9 && i < 60 do
      let y = f64.tanh (w * z + u)
      in (y, f64.abs (y - z), i + 1)
  in z

def loss [b] (us: [b]f64) (w: f64) : f64 = f64.sum (map (\u -> settle w u ** 2) us)

entry both [b] (us: [b]f64) (w: f64) : (f64, f64) = vjp2 (loss us) w 1
