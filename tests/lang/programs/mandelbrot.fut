-- Escape times, one while-loop per point.
-- ==
-- input { 6i64 9i64 50i32 }
-- output { [[1i32, 2i32, 3i32, 3i32, 4i32, 5i32, 7i32, 3i32, 2i32], [1i32, 3i32, 3i32, 4i32, 6i32, 15i32, 20i32, 9i32, 3i32], [1i32, 4i32, 6i32, 15i32, 50i32, 50i32, 50i32, 50i32, 3i32], [1i32, 10i32, 50i32, 50i32, 50i32, 50i32, 50i32, 9i32, 4i32], [1i32, 4i32, 6i32, 10i32, 50i32, 50i32, 50i32, 50i32, 3i32], [1i32, 3i32, 3i32, 4i32, 6i32, 11i32, 13i32, 8i32, 3i32]] }
-- input { 0i64 4i64 5i32 }
-- output { empty([0][4]i32) }
-- input { 2i64 0i64 5i32 }
-- output { empty([2][0]i32) }

def escape (limit: i32) (cr: f64) (ci: f64) : i32 =
  (loop (zr, zi, k) = (0, 0, 0) while k < limit && zr * zr + zi * zi <= 4 do
     (zr * zr - zi * zi + cr, 2 * zr * zi + ci, k + 1)).2

entry main (h: i64) (w: i64) (limit: i32) : [h][w]i32 =
  let at y x = escape limit (-2 + 3 * f64.i64 x / f64.i64 w) (-1 + 2 * f64.i64 y / f64.i64 h + 0.013)
  in tabulate_2d h w at
