-- A consuming parameter shares memory with another result.
-- at 8
-- ==
-- error: Return value for consuming loop parameter "rows" aliases previously returned value

def f (z: [4]f64) (rows: *[4][4]f64) =
  loop (acc: []f64, rows: *[][]f64) = (z, rows) for i < 4 do
    (rows[i], rows)
