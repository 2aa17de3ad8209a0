-- Products of sizes that are not written as such.
def chunks [n] (k: i64) (xs: [n]i32) : [n / k][k]i32 = unflatten (xs[:n / k * k])
-- ==
-- input { [1, 2, 3, 4, 5] } output { [[1, 2], [3, 4]] }
entry main (xs: []i32) = chunks 2 xs
