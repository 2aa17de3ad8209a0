-- The components of the initial value share memory.
-- at 7
-- ==
-- error: Initial value of consuming loop parameter "r" is self-aliased

def f (x: *[]i32) =
  loop r = {a = x, b = x} for _i < 3i32 do r with a[0] = r.b[1]
