-- A size that is written is that of all calls.
-- at 8
-- ==
-- error: Cannot link size

entry main (n: i64) =
  let at [k] (f: i64 -> [k]i64) = f n
  in at iota
