-- A size from inside of a lambda does not get out.
-- ==
-- error: Cannot link size ".*" to "x . 2" .scope violation.
def f [n] (xs: [n]i64) = map (\x -> let k = x * 2 in replicate k x) xs
