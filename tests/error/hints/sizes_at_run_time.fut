-- Sizes that are equal, but not known to be.
-- at 6
-- ==
-- error: "e :> t" checks, when the program runs

def f (xs: [6]i32) = map2 (+) (xs[0:3]) (xs[3:6])
