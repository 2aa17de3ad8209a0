-- Arrays that a branch updates are lent to it and put back: the only copies are those of the
-- function, not one in each iteration.
-- structure soac: copy 2
-- ==
-- input { [0.3, 0.9, 0.2, 0.8] }
def entangled [n] (x: [n]f64) : f64 =
  let (a, b) = loop (a, b) = (copy x, copy x) for i < n do
    let at = (i * 5 + 3) % n
    let (a, b) = if i % 3 < 2
      then loop (a, b) for j < 3i64 do
        let u = a[at]
        let a[at] = 0.5 * u + 0.3 * u * b[(at + j) % n]
        in (a, b with [at] = 0.6 * b[at] * u + 0.2 * a[(at + 1) % n])
      else (a, b)
    let b[i] = f64.sin b[i] * a[i]
    in (a, b)
  in f64.sum a + f64.sum b
entry main [n] (x: [n]f64) : [n]f64 = vjp entangled x 1
