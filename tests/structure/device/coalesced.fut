-- The threads of the product read columns of b, which lie in rows: it is turned, once for all
-- iterations.
-- structure soac,gpu: copy 1
-- depth soac,gpu: copy 0
-- ==
-- input { 2 [[1f64, 2f64], [3f64, 4f64]] [[5f64, 6f64], [7f64, 8f64]] }
-- output { [[223f64, 303f64], [513f64, 697f64]] }
entry main [n] (k: i32) (a: [n][n]f64) (b: [n][n]f64) : [n][n]f64 =
  loop a for _i < k do map (\row -> map (\col -> f64.sum (map2 (*) row col)) b) a
