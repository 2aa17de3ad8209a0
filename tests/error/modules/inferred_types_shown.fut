-- Type parameters, too.
-- at 6
-- ==
-- error: val pair '\^a : a -> \(a, bool\)

module m : { val pair '^a : a -> (a, i32) } = { def pair = \x -> (x, true) }
