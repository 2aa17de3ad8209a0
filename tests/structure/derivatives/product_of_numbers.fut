-- Both sweeps of products are in the same rows, and add to what both factors are: the numbers that are computed from the
-- sums are stored once, and what is added are sums of products for each element (acc_pull.c), also where heads choose the
-- columns (acc_part.c).
-- structure soac: withacc 2, screma.reduce 6
-- ==
-- entry: main
-- input { [[[1f64, 0.5f64], [-0.25f64, 1f64]]] [[0.5f64, -1f64], [0.25f64, 1f64]] 2i64 }
-- output { [[[1.9011183230575712e-2f64, 3.451044732922303f64], [-0.42892254545187125f64, 4.639093241468984f64]]]
--          [[-0.5954347147269609f64, -2.6807611410921566f64], [1.6958367078280958f64, 3.6838544668379796f64]] }
-- input { [[[1f64, 0.5f64], [-0.25f64, 1f64]]] [[0.5f64, -1f64], [0.25f64, 1f64]] 1i64 }
-- output { [[[-0.21796251509481623f64, 3.924992129573087f64], [-0.6922874397093668f64, 7.092573729574507f64]]]
--          [[-0.777137105949786f64, -4.0867148611293835f64], [1.374711591229674f64, 4.968354933231668f64]] }
def sum n (f: i64 -> f64) : f64 = reduce (+) 0 (map f (iota n))

entry main [b][s][e] (x: [b][s][e]f64) (w: [e][e]f64) (heads: i64) : ([b][s][e]f64, [e][e]f64) =
  let d = e / heads
  let f (x: [b][s][e]f64, w: [e][e]f64) =
    let q = tabulate_3d b s e (\n i c -> sum e (\j -> x[n, i, j] * w[c, j]))
    let scores = tabulate (b * heads) (\nh ->
      let (n, h) = (nh / heads, nh % heads)
      in tabulate_2d s s (\i j -> sum d (\c -> q[n, i, h * d + c] * q[n, j, h * d + c]) / 2))
    in f64.sum (map f64.exp (flatten_3d scores))
  in vjp f (x, w) 1
