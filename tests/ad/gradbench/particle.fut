-- A particle in a field: a while loop with derivatives inside, differentiated.
-- ==
-- input { } output { [true, true, true, true] }
import "../fd/lib/fd"

def field (w: f64) (p: (f64, f64)) =
  let d (cx, cy) = f64.sqrt ((p.0 - cx) ** 2 + (p.1 - cy) ** 2)
  in 1 / d (10, 10 - w) + 1 / d (10, 0)
def run (acc: f64 -> (f64, f64) -> (f64, f64)) (w: f64) =
  let (x, v) = loop (x, v) = ((0, 8), (0.75, 0)) while (x.1 + 0.1 * v.1) > 0 do
    let a = acc w x
    in ((x.0 + 0.1 * v.0, x.1 + 0.1 * v.1), (v.0 - 0.1 * a.0, v.1 - 0.1 * a.1))
  let dt = (0 - x.1) / v.1
  in (x.0 + dt * v.0) ** 2
def rev w x = vjp (field w) x 1
def fwd w x = (jvp (field w) x (1, 0), jvp (field w) x (0, 1))
def w0 = 0.1

entry main =
  [close 1e-9 (vjp (run rev) w0 1) (jvp (run rev) w0 1),
   close 1e-9 (vjp (run fwd) w0 1) (jvp (run rev) w0 1),
   close 1e-9 (jvp (run fwd) w0 1) (jvp (run rev) w0 1),
   close 1e-4 (jvp (run rev) w0 1) ((run rev (w0 + 1e-6) - run rev (w0 - 1e-6)) / 2e-6)]
