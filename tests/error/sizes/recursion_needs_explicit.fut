-- Size-polymorphic recursion needs an explicit size.
-- at 6
-- ==
-- error: Occurs check: cannot instantiate d.* with d.* - 1

def e25 (xs: []i32) : i32 = if null xs then 0 else e25 xs[1:]
