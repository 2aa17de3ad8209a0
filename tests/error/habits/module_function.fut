-- A function by the name of a library.
-- at 6
-- ==
-- error: there is f32.sin, f64.sin

def f (x: f64) = math.sin(x)
