-- A sum whose terms a branch gives, which also adds to what all rows have in common: one combinator.
-- structure soac,gpu: loop.kernel 2
-- ==
-- input { 2i64 [0.5f64, 1f64, 2f64] }
-- output { [121.5f64, 244f64, 506.5f64] }
entry main [n] (m: i64) (x: [n]f64) : [n]f64 =
  let row (x: [n]f64) =
    let s = f64.sum (map (\q -> q * q) x)
    let a = replicate m (map (+ s) x)
    in tabulate_2d m n (\i j -> a[i, j] * (if j < n - 1 then a[i, j + 1] else 2 * a[i, j]))
       |> flatten |> f64.sum
  in vjp row x 1
