-- Inversion by Gauss and Jordan with pivoting; the determinant by elimination in place.
-- ==
-- entry: inverse
-- input { [[0.0f64, 2.0f64, 1.0f64], [1.0f64, 1.0f64, 0.5f64], [3.0f64, 0.0f64, -1.0f64]] }
-- output { [[-0.5000000000000001f64, 1.0000000000000002f64, -5.551115123125783e-17f64], [1.2500000000000002f64, -1.5000000000000004f64, 0.5000000000000001f64], [-1.5000000000000004f64, 3.000000000000001f64, -1.0000000000000002f64]] }

-- ==
-- entry: det
-- input { [[0.0f64, 2.0f64, 1.0f64], [1.0f64, 1.0f64, 0.5f64], [3.0f64, 0.0f64, -1.0f64]] }
-- output { 1.9999999999999996f64 }
-- input { [[2.0f64]] }
-- output { 2.0f64 }

def argmax [n] (xs: [n]f64) : i64 =
  (reduce_comm (\(i, x) (j, y) -> if x > y || (x == y && i < j) then (i, x) else (j, y))
               (-1, -f64.inf) (zip (indices xs) xs)).0

def swap [n] 't (i: i64) (j: i64) (a: *[n]t) : *[n]t =
  let x = copy a[i]
  let y = copy a[j]
  let a[i] = y
  let a[j] = x
  in a

entry inverse [n] (a: [n][n]f64) : [n][n]f64 =
  let one i j = f64.bool (i == j)
  let m = map2 (++) a (tabulate_2d n n one)
  let m = loop m = m for c < n do
    let p = c + argmax (map f64.abs m[c:, c])
    let m = swap c p m
    let row = map (/ m[c, c]) m[c]
    in tabulate n (\i -> if i == c then row else map2 (\x y -> x - m[i, c] * y) m[i] row)
  in m[:, n:] :> [n][n]f64

entry det [n] (a: [n][n]f64) : f64 =
  let (_, d) = loop (m, d) = (copy a, 1) for c < n do
    let p = c + argmax (map f64.abs m[c:, c])
    let d = if p == c then d else -d
    let m = swap c p m
    let pivot = m[c, c]
    let m = loop m for i in c + 1..<n do
      let k = m[i, c] / pivot
      in loop m for j in c..<n do m with [i, j] = m[i, j] - k * m[c, j]
    in (m, d * pivot)
  in d
