-- A local name is not exported.
-- at 7
-- ==
-- error: Unknown name "m.x"

module m = { local def x = 1i32 def y = x }
def f = m.x
