-- A function has no size to bind.
-- ==
-- error: Cannot bind
entry main (k: i64) =
  let [n] (f: [n]i32 -> i32) = \(xs: [k]i32) -> i32.sum xs
  in f (replicate n 1)
