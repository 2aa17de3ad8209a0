-- Python def.
-- at 6
-- ==
-- error: without "return"

def f(x): return x + 1
