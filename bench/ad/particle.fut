-- Where to put a charge so that a particle, which two charges push away, lands below the origin:
-- gradient descent through a simulation whose force is itself a gradient.
import "descent"

def landing (gradient: ([2]f64 -> f64) -> [2]f64 -> [2]f64) (w: [1]f64) : f64 =
  let dt = 0.1
  let potential x = 1 / distance x [10, 10 - w[0]] + 1 / distance x [10, 0]
  let along t = map2 (\x v -> x + t * v)
  let (x, v, _) =
    loop (x, v, going) = ([0, 8], [0.75, 0], true)
    while going do
      let x' = along dt x v
      in if x'[1] > 0
         then (x', along (-dt) v (gradient potential x), true)
         else (x, v, false)
  let end = along (-x[1] / v[1]) x v
  in end[0] * end[0]

entry landing_only (w: f64) : f64 = landing gradient_r [w]

entry ff (w: f64) : f64 = (argmin gradient_f (landing gradient_f) [w])[0]
entry fr (w: f64) : f64 = (argmin gradient_f (landing gradient_r) [w])[0]
entry rf (w: f64) : f64 = (argmin gradient_r (landing gradient_f) [w])[0]
entry rr (w: f64) : f64 = (argmin gradient_r (landing gradient_r) [w])[0]
