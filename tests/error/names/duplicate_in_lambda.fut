-- A name twice in the parameters of a lambda.
-- at 6
-- ==
-- error: Name "x" also bound at

def f = \(x: i32) x -> x + 1i32
