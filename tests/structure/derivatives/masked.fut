-- A sum over some of the rows' elements: all rows add to all elements, zero where the branch gives none, in the
-- order of memory; on devices a reduction for each element.
-- structure soac: upd_acc 1, if 1
-- depth soac: upd_acc 3, if 3
-- structure soac,gpu: loop.atomic 0
-- ==
-- input { [1f64,2f64,3f64] [[1f64,-2f64,3f64],[4f64,5f64,-6f64]] }
-- output { [5.0f64, 5.0f64, 3.0f64] }
entry main [n][m] (w: [m]f64) (xs: [n][m]f64) : [m]f64 =
  vjp (\w -> f64.sum (tabulate n (\i -> f64.sum (tabulate m (\j ->
         if xs[i, j] > 0 then w[j] * xs[i, j] else 0))))) w 1
