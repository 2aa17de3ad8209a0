-- The gradient of a convolution that is one flat map with loops inside, over batches: the picture's is
-- gathered (four dimensions), and what is left beside it, the kernel's and the bias's, are sums of
-- what the map gives then: no accumulator is left.
-- structure sequential,hoist_parts,gather_sums,simplify,fuse,simplify,reduce_row_accs: withacc 0, upd_acc 0
-- ==
-- entry: compare
-- random input { [2][3][5][6]f64 [2][3][3][3]f64 [2]f64 } output { true }
-- random input { [1][1][1][1]f64 [1][1][3][3]f64 [1]f64 } output { true }
-- random input { [1][2][2][1]f64 [3][2][3][3]f64 [3]f64 } output { true }
-- random input { [2][0][3][4]f64 [3][0][3][3]f64 [3]f64 } output { true }
-- random input { [2][2][3][4]f64 [0][2][3][3]f64 [0]f64 } output { true }

def loss [b] [c] [o] [h] [w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64) : f64 =
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
  in f64.sum (map one (iota total)) / f64.i64 (i64.max 1 total)

entry gradient [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64)
             : ([b][c][h][w]f64, [o][c][3][3]f64, [o]f64) =
  vjp (\(x, k, bias) -> loss x k bias) (x, k, bias) 1

-- Along some direction, forward mode gives the same.
entry compare [b][c][o][h][w] (x: [b][c][h][w]f64) (k: [o][c][3][3]f64) (bias: [o]f64) : bool =
  let (dx, dk, db) = (map (map (map (map f64.sin))) x, map (map (map (map (\v -> v - 0.5)))) k, map f64.cos bias)
  let dot4 a b = f64.sum (map2 (*) (flatten (flatten_3d a)) (flatten (flatten_3d b)))
  let (gx, gk, gb) = gradient x k bias
  let want = jvp (\(x, k, bias) -> loss x k bias) (x, k, bias) (dx, dk, db)
  let got = dot4 gx dx + dot4 gk dk + f64.sum (map2 (*) gb db)
  in f64.abs (want - got) <= 1e-9 * (1 + f64.abs want)
