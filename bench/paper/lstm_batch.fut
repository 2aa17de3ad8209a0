-- A recurrent network on a batch of sequences: how far its outputs are from what they should be, and
-- the gradient by its weights.
module network (R: real) = {
  type t = R.t

  def sigmoid (x: t) : t = R.(i64 1 / (i64 1 + exp (neg x)))

  def matmul [n][m][p] (a: [n][m]t) (b: [m][p]t) : [n][p]t =
    map (\row -> map (\column -> R.sum (map2 (R.*) row column)) (transpose b)) a

  -- Weights of the four gates (in, forget, change, out), one after the other.
  type weights [d][h] = ([4 * h][d]t, [4 * h][h]t, [4 * h]t)

  -- The next hidden state and cell of each sequence.
  def step [b][d][h] (w: weights [d][h]) (hidden: [b][h]t) (cell: [b][h]t) (x: [b][d]t) : ([b][h]t, [b][h]t) =
    let sums =
      map2 (\a c -> map3 (\p q r -> p R.+ q R.+ r) a c w.2)
           (matmul x (transpose w.0)) (matmul hidden (transpose w.1))
    let of_sequence (s: [4 * h]t) (c: [h]t) =
      let at k = \i -> s[k * h + i]
      let c' =
        tabulate h (\i -> R.(sigmoid (at 1 i) * c[i] + sigmoid (at 0 i) * tanh (at 2 i)))
      in (tabulate h (\i -> sigmoid (at 3 i) R.* R.tanh c'[i]), c')
    in unzip (map2 of_sequence sums cell)

  def loss [n][b][d][h] (xs: [n][b][d]t) (wanted: [n][b][h]t) (w: weights [d][h]) : t =
    let zero = replicate b (replicate h (R.i64 0))
    let square x = x R.* x
    let (_, _, total) =
      loop (hidden, cell, total) = (zero, zero, R.i64 0)
      for t < n do
        let (hidden, cell) = step w hidden cell xs[t]
        let off = R.sum (map2 (\a c -> R.sum (map2 (\p q -> square (p R.- q)) a c)) hidden wanted[t])
        in (hidden, cell, total R.+ off)
    in total R./ R.i64 (n * b * h)

  def gradient [n][b][d][h] (xs: [n][b][d]t) (wanted: [n][b][h]t) (w: weights [d][h]) : weights [d][h] =
    vjp (loss xs wanted) w (R.i64 1)
}

module network_f64 = network f64
module network_f32 = network f32

entry primal [n][b][d][h]
             (xs: [n][b][d]f64) (wanted: [n][b][h]f64)
             (wx: [4 * h][d]f64) (wh: [4 * h][h]f64) (bias: [4 * h]f64) : f64 =
  network_f64.loss xs wanted (wx, wh, bias)

entry gradient [n][b][d][h]
               (xs: [n][b][d]f64) (wanted: [n][b][h]f64)
               (wx: [4 * h][d]f64) (wh: [4 * h][h]f64) (bias: [4 * h]f64) =
  network_f64.gradient xs wanted (wx, wh, bias)

entry primal_f32 [n][b][d][h]
                 (xs: [n][b][d]f32) (wanted: [n][b][h]f32)
                 (wx: [4 * h][d]f32) (wh: [4 * h][h]f32) (bias: [4 * h]f32) : f32 =
  network_f32.loss xs wanted (wx, wh, bias)

entry gradient_f32 [n][b][d][h]
                   (xs: [n][b][d]f32) (wanted: [n][b][h]f32)
                   (wx: [4 * h][d]f32) (wh: [4 * h][h]f32) (bias: [4 * h]f32) =
  network_f32.gradient xs wanted (wx, wh, bias)
