-- While loops: conditions on what is differentiated, on counters, on both.
-- ==
-- input { } output { [true, true, true, true, true, true] }
import "../fd/lib/fd"

def newton (y: f64) = loop x = y while f64.abs (x * x - y) > 1e-12 do 0.5 * (x + y / x)
def grow [n] (x: [n]f64) = loop s = x[0] while s < 10 do s * (1 + x[1] * x[1])
def both [n] (x: [n]f64) =
  (loop (s, i) = (x[0], 0) while i < n && s < 3 do (s + x[i] ** 2, i + 1)).0
def array [n] (x: [n]f64) =
  loop a = x while f64.sum (map (** 2) a) < 50 do map (* 1.5) a
def bounded [n] (x: [n]f64) =
  #[bound(30)] loop s = x[0] while s < 10 do s * (1 + x[1] * x[1])

entry main =
  [check_number newton 2,
   check_scalar grow [0.7, 1.3, 1.1],
   check_scalar both [0.7, 1.3, 1.1],
   check array [0.7, -1.3, 2.1],
   check_scalar bounded [0.7, 1.3, 1.1],
   check_hessian grow [0.7, 1.3, 1.1]]
