-- The triangular factors of a matrix, both in one, without pivoting.
entry main [n] (a: [n][n]f64) : [n][n]f64 =
  loop a = copy a for k < n do
    let l = map (/ a[k, k]) a[k + 1:, k]
    let u = copy a[k, k + 1:]
    let rest = map2 (\row f -> map2 (\x y -> x - f * y) row u) a[k + 1:, k + 1:] l
    let a[k + 1:, k] = l
    let a[k + 1:, k + 1:] = rest
    in a
