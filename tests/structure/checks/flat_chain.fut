-- A flat index that is divided by one size after the other: a nest of all of these, in which nothing is divided.
-- structure soac: screma 1
-- structure soac,nest_flat: screma 3
-- ==
-- input { [[[1, 2], [3, 4], [5, 6]], [[7, 8], [9, 10], [11, 12]]] }
-- output { [1, 3, 5, 7, 9, 11, 7, 9, 11, 13, 15, 17] }
-- input { empty([0][3][2]i32) } output { empty([0]i32) }
-- input { empty([3][0][2]i32) } output { empty([0]i32) }
-- input { empty([3][2][0]i32) } output { empty([0]i32) }
entry main [b] [n] [m] (a: [b][n][m]i32) : []i32 =
  map (\p ->
         let (j, p) = (p % m, p / m)
         let (i, k) = (p % n, p / n)
         in a[k, i, j] + i32.i64 (2 * i) + i32.i64 j)
      (iota (b * n * m))
