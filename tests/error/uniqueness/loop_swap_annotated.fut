-- An ascription says that a parameter is not consumed.
-- at 8
-- ==
-- error: Return value for consuming loop parameter "p" aliases "q"

def f (a: *[]i32) (b: []i32) =
  loop (p: *[]i32, q: []i32) = (a, b) for _i < 3i32 do
    (q, p)
