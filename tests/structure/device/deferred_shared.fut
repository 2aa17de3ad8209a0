-- Scalars that a loop carries, computed from elements that kernels of the loop need too, and from each
-- other: kernels read those elements, one thread of the device computes the scalars.
-- structure soac,gpu: loop.kernel 2, index 12
-- ==
-- input { [1f64, 2f64, 4f64] }
-- output { [1f64, 2f64, 2f64] 9f64 5f64 }
entry main [n] (xs: [n]f64) : ([n]f64, f64, f64) =
  loop (xs, product, total) = (xs, 1, 0) for i < n do
    let pivot = xs[i]
    let ys = map (\x -> if x > pivot then x / pivot else x) xs
    in (ys, product * pivot + total, total + pivot)
