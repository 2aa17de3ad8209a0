-- Size of cases.
-- at 7
-- ==
-- error: whose cases have types

def pick [n] [m] (b: bool) (xs: [n]i32) (ys: [m]i32) =
  zip xs (match b case true -> xs case false -> ys)
