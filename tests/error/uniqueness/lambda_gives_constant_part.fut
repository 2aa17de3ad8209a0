-- Nor a part of it.
-- at 7
-- ==
-- error: aliases the free variable "primes"

def primes = [2i64, 3, 5, 7]
def f (ns: []i64) = map (\n -> (n, if n > 1 then primes else replicate 4 n)) ns
