-- A row of a consumed parameter is returned beside it.
-- at 8
-- ==
-- error: Return value for loop parameter "row" aliases other consumed loop parameter

def f (m: *[][]i32) (r: []i32) =
  loop (m: *[][]i32, row: []i32) = (m, r) for i < 3i32 do
    (m, m[i])
