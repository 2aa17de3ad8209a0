-- Circular functions and their inverses.  First and second derivatives.
-- ==
-- input { } output { [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true] }
import "../fd/lib/fd"

def second (f: f64 -> f64) (x: f64) : bool =
  let h = 1e-5
  let d y = jvp f y 1
  in close 1e-4 (jvp d x 1) ((d (x + h) - d (x - h)) / (2 * h)) && close 1e-9 (vjp d x 1) (jvp d x 1)
     && close 1e-9 (jvp (\y -> vjp f y 1) x 1) (jvp d x 1)

entry main =
  [check_number f64.sin (0.3) && second f64.sin (0.3),
   check_number f64.sin (-0.4) && second f64.sin (-0.4),
   check_number f64.cos (0.3) && second f64.cos (0.3),
   check_number f64.cos (-0.4) && second f64.cos (-0.4),
   check_number f64.tan (0.3) && second f64.tan (0.3),
   check_number f64.tan (-0.4) && second f64.tan (-0.4),
   check_number f64.asin (0.3) && second f64.asin (0.3),
   check_number f64.asin (-0.4) && second f64.asin (-0.4),
   check_number f64.acos (0.3) && second f64.acos (0.3),
   check_number f64.acos (-0.4) && second f64.acos (-0.4),
   check_number f64.atan (0.3) && second f64.atan (0.3),
   check_number f64.atan (-0.4) && second f64.atan (-0.4),
   check_number f64.sinpi (0.3) && second f64.sinpi (0.3),
   check_number f64.sinpi (-0.4) && second f64.sinpi (-0.4),
   check_number f64.cospi (0.3) && second f64.cospi (0.3),
   check_number f64.cospi (-0.4) && second f64.cospi (-0.4),
   check_number f64.tanpi (0.3) && second f64.tanpi (0.3),
   check_number f64.tanpi (-0.4) && second f64.tanpi (-0.4)]
