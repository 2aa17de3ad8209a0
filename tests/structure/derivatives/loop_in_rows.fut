-- A loop that sums terms which take loops of their own is a reduction in what one thread differentiates also where it
-- stands in a map: nothing of a row is kept in a loop that carries the sum.
-- structure inline_calls,simplify,map_diff_loops: loop 1, screma.reduce 2
-- ==
-- input { [[0.5, 1.0], [-1.0, 0.25], [0.0, 2.0]] [[0.25, 0.5], [1.0, -0.5]] [0.5, -1.0] }
-- output { [[5.0625, -6.4375], [-70.5, 101.1875]] }
entry main [n] [k] [d] (xs: [n][d]f64) (centres: [k][d]f64) (out: [k]f64) : [k][d]f64 =
  let at (c: [k][d]f64) (x: [d]f64) =
    loop s = 0 for j < k do
      let r = loop r = 0 for i < d do (let e = x[i] - c[j, i] in r + e * e)
      in s + out[j] * r * r
  in vjp (\c -> f64.sum (map (\x -> at c x) xs)) centres 1
