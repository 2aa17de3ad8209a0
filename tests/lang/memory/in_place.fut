-- Loops whose results are written into what they read: computed there only where no iteration
-- reads what another one has written.

-- Rows of a matrix from the rows that they replace, and from others.
-- ==
-- entry: eliminate
-- input { [[4.0, 2.0, 2.0], [2.0, 5.0, 3.0], [2.0, 3.0, 6.0]] }
-- output { [[4.0, 2.0, 2.0], [0.5, 4.0, 2.0], [0.5, 0.5, 4.0]] }
-- input { empty([0][0]f64) } output { empty([0][0]f64) }
entry eliminate [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = copy a for k < n do
    let l = map (/ a[k, k]) a[k + 1:, k]
    let rest = map2 (\row f -> map2 (\x y -> x - f * y) row a[k, k + 1:]) a[k + 1:, k + 1:] l
    let a[k + 1:, k] = l
    let a[k + 1:, k + 1:] = rest
    in a

-- Each row needs the one before it, as it was.
-- ==
-- entry: shifted_down
-- input { [[1, 2], [3, 4], [5, 6]] } output { [[1, 2], [4, 6], [8, 10]] }
entry shifted_down [n][m] (a: [n][m]i32) : [n][m]i32 =
  let new = map2 (map2 (+)) a[1:] a[:n - 1]
  let a = copy a
  let a[1:] = new
  in a

-- ==
-- entry: shift_right
-- input { [1, 2, 3, 4] } output { [1, 1, 2, 3] }
entry shift_right [n] (a: *[n]i32) : [n]i32 =
  let new = map (+ 0) a[:n - 1]
  let a[1:] = new
  in a

-- ==
-- entry: shift_left
-- input { [1, 2, 3, 4] } output { [2, 3, 4, 4] }
entry shift_left [n] (a: *[n]i32) : [n]i32 =
  let new = map (+ 0) a[1:]
  let a[:n - 1] = new
  in a

-- The same elements in another order.
-- ==
-- entry: reversed
-- input { [1, 2, 3, 4, 5] } output { [1, 4, 3, 2, 5] }
entry reversed [n] (a: *[n]i32) : [n]i32 =
  let new = map (\i -> a[n - 1 - i]) (1...n - 2)
  let a[1:n - 1] = sized (n - 2) new
  in a

-- What is there first is needed by a loop that does not reach all of it.
-- ==
-- entry: some_only
-- input { [1, 2, 3, 4] 2i64 } output { [2, 4, 0, 0] }
entry some_only [n] (a: *[n]i32) (k: i64) : [n]i32 =
  let new = loop z = replicate n 0 for i < k do z with [i] = 2 * a[i]
  let a[0:n] = new
  in a

-- Rows and a column at once, the column being read for all rows.
-- ==
-- entry: cross
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[11, 2, 3], [14, 9, 10], [17, 15, 16]] }
entry cross [n] (a: *[n][n]i32) : [n][n]i32 =
  let column = map (+ 10) a[:, 0]
  let rest = map (\row -> map (+ row[0]) row[1:]) a[1:]
  let a[:, 0] = column
  let a[1:, 1:] = rest
  in a

-- The diagonal of each row is read by all elements of that row, and by the next row.
-- ==
-- entry: diagonal
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[1, 2, 3], [5, 6, 7], [12, 13, 14]] }
entry diagonal [n] (a: *[n][n]i32) : [n][n]i32 =
  let rest = map2 (\i row -> map (+ a[i, i]) row) (iota (n - 1)) a[1:]
  let a[1:] = sized (n - 1) rest
  in a
