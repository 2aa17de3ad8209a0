-- Self-attention with several heads in index notation: each intermediate array is a function of its
-- indices; weights of the projections have outputs first.
def build3 n m k (f: i64 -> i64 -> i64 -> f64) : [n][m][k]f64 = tabulate_3d n m k f

def sum n (f: i64 -> f64) : f64 = reduce (+) 0 (map f (iota n))

def maximum n (f: i64 -> f64) : f64 = reduce f64.max (-f64.inf) (map f (iota n))

entry primal [b][s][e]
             (x: [b][s][e]f64) (wq: [e][e]f64) (wk: [e][e]f64) (wv: [e][e]f64) (wo: [e][e]f64)
             (heads: i64) : f64 =
  let d = e / heads
  let q = build3 b s e (\n i c -> sum e (\j -> x[n, i, j] * wq[c, j]))
  let k = build3 b s e (\n i c -> sum e (\j -> x[n, i, j] * wk[c, j]))
  let v = build3 b s e (\n i c -> sum e (\j -> x[n, i, j] * wv[c, j]))
  let scores =
    tabulate (b * heads) (\nh ->
                            let (n, h) = (nh / heads, nh % heads)
                            in tabulate_2d s s (\i j ->
                                                  sum d (\c -> q[n, i, h * d + c] * k[n, j, h * d + c])
                                                  / f64.sqrt (f64.i64 d)))
  let weights =
    build3 (b * heads) s s (\nh i j ->
                              let top = maximum s (\m -> scores[nh, i, m])
                              in f64.exp (scores[nh, i, j] - top))
  let totals = tabulate_2d (b * heads) s (\nh i -> sum s (\j -> weights[nh, i, j]))
  let mixed =
    build3 b s e (\n i c ->
                    let nh = n * heads + c / d
                    in sum s (\j -> weights[nh, i, j] * v[n, j, c]) / totals[nh, i])
  let y = build3 b s e (\n i c -> sum e (\j -> mixed[n, i, j] * wo[c, j]))
  in f64.sum (map (** 2) (flatten_3d y)) / f64.i64 (b * s * e)

entry gradient [b][s][e]
               (x: [b][s][e]f64) (wq: [e][e]f64) (wk: [e][e]f64) (wv: [e][e]f64) (wo: [e][e]f64)
               (heads: i64) : ([b][s][e]f64, [e][e]f64, [e][e]f64, [e][e]f64, [e][e]f64) =
  vjp (\(x, q, k, v, o) -> primal x q k v o heads) (x, wq, wk, wv, wo) 1
