-- Recursive functions: sizes of results that are not declared are existential inside.
def down (n: i64) : []i64 = if n == 0 then [] else [n] ++ down (n - 1)
def rot [n] (xs: [n]i64) : [n]i64 =
  if n <= 1 then xs else (rot xs[1:] ++ xs[:1]) :> [n]i64
def sieve [n] (xs: [n]i64) : []i64 =
  if n == 0 then [] else xs[:1] ++ sieve (filter (\x -> x % xs[0] != 0) xs)
-- ==
-- input { 3i64 } output { [3i64, 2i64, 1i64] [3i64, 2i64, 1i64] [2i64, 3i64, 5i64, 7i64] }
entry main (n: i64) = (down n, rot [1, 2, 3], sieve (2...10))
