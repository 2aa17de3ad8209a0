-- A size is needed before it exists.
-- at 6
-- ==
-- error: Causality check: size ".*" needed for type of

def f [n] (xs: [n]i64) = length <| filter (> 0) xs
