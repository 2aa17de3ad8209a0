-- Functions whose result sizes are fixed, existential or depend on their argument.
def any_size (f: i64 -> []i64) (n: i64) : i64 = i64.sum (f n)
def own_size (f: (n: i64) -> [n]i64) (m: i64) : [m]i64 = f m
def with_size (g: (n: i64) -> [n]i64 -> i64) : i64 = g 3 [1, 2, 3]
-- ==
-- input { 4i64 } output { 6i64 6i64 10i64 [0i64, 1i64, 2i64, 3i64] [1i64, 2i64, 3i64, 4i64] 9i64 }
entry main (n: i64) =
  ( any_size iota n
  , any_size (\k -> filter (> 0) (iota k)) n
  , any_size (\k -> map (+ 1) (iota k)) n
  , own_size iota n
  , own_size (\k -> map (+ 1) (iota k)) n
  , with_size (\k xs -> k + i64.sum xs)
  )
