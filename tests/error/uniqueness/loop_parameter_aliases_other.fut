-- Two consuming loop parameters get the same array.
-- at 8
-- ==
-- error: Return value for loop parameter "q" aliases other consumed loop parameter

def f (n: i64) =
  loop (p: *[]i64, q: *[]i64) = (iota n, iota n) for _i < 3i32 do
    (p, p)
