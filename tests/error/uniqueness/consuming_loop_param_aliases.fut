-- The body returns something from outside for a consumed parameter.
-- at 8
-- ==
-- error: Return value for consuming loop parameter "q" aliases "p"

def f (p: []i32) =
  loop (q: *[]i32) = copy p for _i < 3i32 do
    p
