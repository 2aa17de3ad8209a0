-- The type before the name.
-- at 6
-- ==
-- error: a function is defined by "def f \(x: f64\) : f64 = \.\.\.", and its value is what

f64 f (f64 x) = x
