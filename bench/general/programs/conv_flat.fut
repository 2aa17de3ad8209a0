-- A layer of 3x3 convolutions with bias and rectifier, the mean of squares: one flat map over all
-- outputs with index arithmetic and loops inside.
entry primal [b][c][o][h][w]
             (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64) : f64 =
  let total = b * o * h * w
  let one p =
    let (q, j) = (p / w, p % w)
    let (q, i) = (q / h, q % h)
    let (n, f) = (q / o, q % o)
    let s =
      loop s = bias[f] for ch < c do
        loop s for di < 3 do
          loop s for dj < 3 do
            let (y, z) = (i + di - 1, j + dj - 1)
            in if y < 0 || y >= h || z < 0 || z >= w then s else s + k[f, ch, di, dj] * x[n, ch, y, z]
    let r = if s > 0 then s else 0
    in r * r
  in f64.sum (map one (iota total)) / f64.i64 total

entry gradient [b][c][o][h][w]
               (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64)
             : ([b][c][h][w]f64, [o][c][3][3]f64, [o]f64) =
  vjp (\(x, k, bias) -> primal x k bias) (x, k, bias) 1
