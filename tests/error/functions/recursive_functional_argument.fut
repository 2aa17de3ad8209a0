-- A functional argument changes in a recursive call.
-- at 7
-- ==
-- error: Higher-order argument in recursive application of "ho" must be passed unchanged

def ho (g: i32 -> i32) (n: i32) : i32 =
  if n == 0 then g 0 else ho (\x -> g (x + 1)) (n - 1)
