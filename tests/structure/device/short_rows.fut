-- Rows that loop are too few for threads: what they sum may have threads all the same where it is short (a version more
-- for each sum, by a number of rows that is not that of long ones).
-- structure soac,flatten,dce: opaque 5
-- ==
-- input { 2i64 [[1f32, 2f32], [0f32, 1f32]] } output { [5f32, 10f32] }
entry main [k][d] (n: i64) (ls: [k][d]f32) : [n]f32 =
  tabulate n (\i ->
                let (_, s) =
                  loop (x, s) = (replicate d (f32.i64 i), 0) for l in ls do
                    let y = map2 (\a b -> a * b + 1) x l
                    in (y, s + f32.sum y)
                in s)
