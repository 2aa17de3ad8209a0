-- The result of the use that needs it is of unknown size, that of another use is not.
-- at 8
-- ==
-- error: Cannot link size

entry main [m] (xs: [m]i64) (n: i64) =
  let at f = f n
  in (map2 (+) xs (at (\_ -> xs)), map2 (+) xs (at iota))
