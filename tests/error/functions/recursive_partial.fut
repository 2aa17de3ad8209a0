-- A recursive call has all functional arguments.
-- at 6
-- ==
-- error: Recursive application of "ho", which has a higher-order parameter, must be fully saturated

def ho (g: i32 -> i32) (n: i32) : i32 = if n == 0 then g 0 else id ho g (n - 1)
