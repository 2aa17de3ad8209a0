-- A function as a payload.
def run (#f g: #f (i32 -> i32)) (x: i32) = g x
def pairs = ((+ 1i32), {double = (* 2i32)})
-- ==
-- input { 3 } output { 4 7 }
entry main (x: i32) =
  let (inc, {double}) = pairs
  in (run (#f inc) x, inc (double x))
