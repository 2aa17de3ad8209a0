-- A list repeated.
-- at 6
-- ==
-- error: "replicate n 0" repeats a value

def f (n: i64) = [0] * n
