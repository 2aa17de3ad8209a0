-- The type of the whole function, as that of its result.
-- at 6
-- ==
-- error: the type after the parameters is that of the result alone: "def f \(x: f64\) \(y: f64\) : f64 = \.\.\."\.

def f x y : f64 -> f64 -> f64 = x + y
