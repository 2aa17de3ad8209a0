-- Size of branches.
-- at 7
-- ==
-- error: whose branches have types \[n\]i32 and \[m\]i32

def pick [n] [m] (b: bool) (xs: [n]i32) (ys: [m]i32) =
  zip xs (if b then xs else ys)
