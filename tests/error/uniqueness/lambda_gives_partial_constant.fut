-- Nor what a partial application of a function to it gives.
-- at 8
-- ==
-- error: aliases the free variable "primes"

def primes = [2i64, 3, 5, 7]
def f (n: i64) =
  let g = drop 1
  in g primes
