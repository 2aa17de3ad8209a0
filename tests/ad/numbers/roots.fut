-- Roots and reciprocals.  First and second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def second (f: f64 -> f64) (x: f64) : bool =
  let h = 1e-5
  let d y = jvp f y 1
  in close 1e-4 (jvp d x 1) ((d (x + h) - d (x - h)) / (2 * h)) && close 1e-9 (vjp d x 1) (jvp d x 1)
     && close 1e-9 (jvp (\y -> vjp f y 1) x 1) (jvp d x 1)

entry main =
  [check_number (\v -> f64.sqrt (v + 1)) (0.3) && second (\v -> f64.sqrt (v + 1)) (0.3),
   check_number (\v -> f64.sqrt (v + 1)) (-0.4) && second (\v -> f64.sqrt (v + 1)) (-0.4),
   check_number (\v -> f64.rsqrt (v + 1)) (0.3) && second (\v -> f64.rsqrt (v + 1)) (0.3),
   check_number (\v -> f64.rsqrt (v + 1)) (-0.4) && second (\v -> f64.rsqrt (v + 1)) (-0.4),
   check_number f64.cbrt (0.3) && second f64.cbrt (0.3),
   check_number f64.cbrt (-0.4) && second f64.cbrt (-0.4),
   check_number f64.recip (0.3) && second f64.recip (0.3),
   check_number f64.recip (-0.4) && second f64.recip (-0.4),
   check_number (\v -> v ** 3) (0.3) && second (\v -> v ** 3) (0.3),
   check_number (\v -> v ** 3) (-0.4) && second (\v -> v ** 3) (-0.4),
   check_number (\v -> (v + 1) ** 0.5) (0.3) && second (\v -> (v + 1) ** 0.5) (0.3),
   check_number (\v -> (v + 1) ** 0.5) (-0.4) && second (\v -> (v + 1) ** 0.5) (-0.4),
   check_number (\v -> 2 ** v) (0.3) && second (\v -> 2 ** v) (0.3),
   check_number (\v -> 2 ** v) (-0.4) && second (\v -> 2 ** v) (-0.4)]
