-- A member that a module does not have.
-- at 7
-- ==
-- error: its members are g\.

module m = { def g (x: f64) = x }
def f = m.h 1
