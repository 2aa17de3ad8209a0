-- Size parameters are variables.
def size [n] [m] 't (_: [n][m]t) : (i64, i64) = (n, m)
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { 2i64 3i64 }
-- input { empty([0][5]i32) } output { 0i64 5i64 }
entry main (xss: [][]i32) = size xss
