-- The initial value of a consuming loop parameter is also that of another.
-- at 7
-- ==
-- error: Initial value of consuming loop parameter "a" aliases that of "b"

def f (x: *[]i32) =
  loop (a, b) = (x, x) for _i < 3i32 do
    let a[0] = b[0]
    in (a, b)
