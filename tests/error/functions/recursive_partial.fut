-- A recursive call has all functional arguments.
-- at 6
-- ==
-- error: Higher-order argument in recursive application of "ho" must be passed unchanged

def ho (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g 0 else id ho g (n - 1)
