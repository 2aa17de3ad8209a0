-- Nor that of a local function.
-- at 8
-- ==
-- error: aliases the free variable "primes"

def primes = [2i64, 3, 5, 7]
def f (n: i64) =
  let first k = primes[:k]
  in length (first n)
