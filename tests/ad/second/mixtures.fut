-- All mixtures of the modes, to third order.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "../fd/lib/fd"

def f (x: f64) = f64.sin (x * x) * f64.exp x
def j (g: f64 -> f64) (x: f64) = jvp g x 1
def v (g: f64 -> f64) (x: f64) = vjp g x 1
def near = close 1e-10

entry main =
  [near (j (j f) 0.7) (v (v f) 0.7),
   near (j (v f) 0.7) (v (j f) 0.7),
   near (j (j f) 0.7) (v (j f) 0.7),
   near (j (j (j f)) 0.7) (v (v (v f)) 0.7),
   near (j (v (j f)) 0.7) (v (j (v f)) 0.7),
   near (v (v (j f)) 0.7) (j (j (v f)) 0.7)]
