-- A factorisation works in the array that it was given.
-- structure soac: assert 0
-- structure soac,c: loop 3
-- ==
-- input { [[4f64, 3f64], [6f64, 3f64]] } output { [[4.0f64, 3.0f64],  [1.5f64, -1.5f64]] }
entry main [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = copy a for k < n do
    let l = map (/ a[k, k]) a[k + 1:, k]
    let u = copy a[k, k + 1:]
    let rest = map2 (\row f -> map2 (\x y -> x - f * y) row u) a[k + 1:, k + 1:] l
    let a[k + 1:, k] = l
    let a[k + 1:, k + 1:] = rest
    in a
