-- What is added at places computed from the numbers of heads and columns is summed over the rows first: two sums of
-- products, and one addition for each row and column.
-- depth soac: upd_acc 5
-- structure soac: screma.reduce 3, upd_acc 2
-- ==
-- input { [[[1f64, 2f64, 3f64, 4f64], [0.5f64, -1f64, 2f64, 0f64]]] [[[1f64, 0f64, 1f64, 2f64], [3f64, 1f64, 0f64, 1f64]]] 2i64 }
-- output { [[[32f64, 10f64, 22f64, 52f64], [4f64, 1f64, 4f64, 8f64]]] [[[2.5f64, 3f64, 74f64, 88f64], [10.5f64, 19f64, 24f64, 32f64]]] }
def scores [b][s][e] (q: [b][s][e]f64) (k: [b][s][e]f64) (heads: i64) : f64 =
  let d = e / heads
  let one nh =
    let (n, h) = (nh / heads, nh % heads)
    in tabulate_2d s s (\i j ->
                          f64.sum (map (\c -> q[n, i, h * d + c] * k[n, j, h * d + c]) (iota d)))
  in f64.sum (map (\x -> x * x) (flatten_3d (tabulate (b * heads) one)))

entry main [b][s][e] (q: [b][s][e]f64) (k: [b][s][e]f64) (heads: i64) : ([b][s][e]f64, [b][s][e]f64) =
  vjp (\(q, k) -> scores q k heads) (q, k) 1
