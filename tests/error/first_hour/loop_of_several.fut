-- A loop that carries two values.
-- at 6
-- ==
-- error: a loop carries several values as a tuple: "loop \(x, y\) = \(1, 2\) for i < n do

def f (n: i64) = loop a, b = 0, 1 for i < n do b, a + b
