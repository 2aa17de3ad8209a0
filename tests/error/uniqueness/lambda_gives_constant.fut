-- The result of a lambda may not be a constant.
-- at 7
-- ==
-- error: aliases the free variable "primes"

def primes = [2i64, 3, 5, 7]
def first = \(n: i64) -> primes[:n]
