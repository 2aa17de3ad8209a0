-- A signature on a line of its own.
-- at 6
-- ==
-- error: types are part of the definition

f :: f64 -> f64
f x = x + 1
