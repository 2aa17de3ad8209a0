-- A local function that calls itself.
-- at 6
-- ==
-- error: a local function cannot call itself

def g (n: i64) : i64 = let fact k = if k == 0 then 1 else k * fact (k - 1) in fact n
