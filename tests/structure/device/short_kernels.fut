-- Between steps on the whole matrix there is work on a column, a sum and an element: one block does it, where the
-- matrix is small.
-- structure soac,gpu: loop.threads 9, loop.blocks 7
-- ==
-- entry: main
-- input { [[4f64, 1f64, 2f64], [1f64, 5f64, 3f64], [2f64, 3f64, 6f64]] }
-- output { [[2f64, 0f64, 0f64], [0.5f64, 2.179449471770337f64, 0f64], [1f64, 1.1470786693528088f64, 1.9194297398747523f64]] }
-- input { empty([0][0]f64) } output { empty([0][0]f64) }
entry main [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0) for j < n do
    let d = f64.sqrt (a[j, j] - f64.sum (map (\v -> v * v) l[j, :j]))
    let column =
      map (\i -> if i < j
                 then 0
                 else if i == j then d else (a[i, j] - f64.sum (map2 (*) l[i, :j] l[j, :j])) / d)
          (iota n)
    in l with [:, j] = column

-- What is copied before it is overwritten, and what comes after.
-- ==
-- entry: columns
-- input { [[1f64, 2f64], [3f64, 4f64]] } output { [[0f64, 0f64], [0f64, 0f64]] 416f64 }
-- input { [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64], [7f64, 8f64, 10f64]] }
-- output { [[0f64, 0f64, 0f64], [0f64, 0f64, 0f64], [0f64, 0f64, 0f64]] 33336f64 }
entry columns [n] (a: [n][n]f64) : (*[n][n]f64, f64) =
  loop (m, s) = (copy a, 0) for j < n do
    let c = copy m[:, j]
    let m = m with [:, j] = replicate n 0
    let m = map2 (\i row -> map2 (\k x -> if k > j then x + c[i] - row[j] else x) (iota n) row) (iota n) m
    in (m, s + (f64.sum c * (f64.i64 j + 1)) ** 2)
