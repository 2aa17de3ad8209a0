-- A convolution with stride 2 and a leaky ramp, pictures and kernels in flat arrays with computed indices.
entry primal [b] [c] [h] [w] [o] (x: [b][c][h][w]f32) (k: [o][c][3][3]f32) (bias: [o]f32) : f32 =
  let (h2, w2) = (h / 2, w / 2)
  let xs = flatten (flatten_3d x)
  let ks = flatten (flatten_3d k)
  let out =
    tabulate (b * o * h2 * w2) (\p ->
                                  let (j, p) = (p % w2, p / w2)
                                  let (i, p) = (p % h2, p / h2)
                                  let (f, n) = (p % o, p / o)
                                  let s =
                                    loop s = bias[f]
                                    for q < c * 9 do
                                      let (ch, r) = (q / 9, q % 9)
                                      let (y, z) = (2 * i + r / 3 - 1, 2 * j + r % 3 - 1)
                                      in if y < 0 || y >= h || z < 0 || z >= w
                                         then s
                                         else s + xs[((n * c + ch) * h + y) * w + z] * ks[(f * c + ch) * 9 + r]
                                  in if s > 0 then s else 0.1 * s)
  in f32.sum (map (\v -> v * v) out) / f32.i64 (b * o * h2 * w2)

entry gradient [b] [c] [h] [w] [o] (x: [b][c][h][w]f32) (k: [o][c][3][3]f32) (bias: [o]f32) =
  vjp (\(x, k, bias) -> primal x k bias) (x, k, bias) 1
