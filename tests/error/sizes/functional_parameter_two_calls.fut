-- Results of two calls are not of one size when the function decides.
-- at 8
-- ==
-- error: Cannot link size

entry main (n: i64) =
  let sum2 f = map2 (+) (f n) (f (n + 1))
  in sum2 iota
