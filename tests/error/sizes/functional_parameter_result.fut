-- The size that the function gives is not one of those around.
-- at 8
-- ==
-- error: do not match

entry main [m] (xs: [m]i64) (n: i64) =
  let at f = map2 (+) xs (f n)
  in at iota
