-- What a loop of kernels puts into a column is computed there, though how many threads do so is decided
-- when the program runs: they read what is to the left of it, or the element that they replace.
-- structure soac,gpu,gpu_mem: copies 0
-- ==
-- entry: columns
-- input { [[4f64, 2f64, 2f64], [2f64, 10f64, 4f64], [2f64, 4f64, 18f64]] }
-- output { [[2f64, 0f64, 0f64], [1f64, 3f64, 0f64], [1f64, 1f64, 4f64]] }
entry columns [n] (a: [n][n]f64) : [n][n]f64 =
  loop l = replicate n (replicate n 0)
  for j < n do
    let d = f64.sqrt (a[j, j] - f64.sum (map (\v -> v * v) l[j,:j]))
    in l with [:, j] =
           map (\i ->
                  if i < j
                  then 0
                  else if i == j
                  then d
                  else (a[i, j] - f64.sum (map2 (*) l[i,:j] l[j,:j])) / d)
               (iota n)

-- ==
-- entry: replaced
-- input { [[2f64, 1f64], [4f64, 5f64]] } output { [[2f64, 1f64], [2f64, 3f64]] }
entry replaced [n] (a: *[n][n]f64) : [n][n]f64 =
  loop m = a
  for k < n do
    let m[k, k:] = map (\j -> m[k, j] - f64.sum (map2 (*) m[k,:k] m[:k, j])) (k..<n)
    in m with [k + 1:, k] =
           map (\i -> (m[i, k] - f64.sum (map2 (*) m[i,:k] m[:k, k])) / m[k, k]) (k + 1..<n)
