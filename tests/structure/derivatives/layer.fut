-- A layer of a neural network over a batch: the adjoint of the weights is a product.
-- structure soac: withacc 0, upd_acc 0
-- ==
-- input { [[0.1f64,0.2f64],[0.3f64,-0.4f64]] [[1f64,2f64],[3f64,4f64],[-1f64,0.5f64]] }
-- output { [[0.864051681446752f64, 3.5097007305729546f64],  [1.9042187699473754f64, 4.505077692344653f64]] }
entry main [b][n][m] (w: [n][m]f64) (xs: [b][m]f64) : [n][m]f64 =
  vjp (\w -> f64.sum (map (\x -> f64.sum (map (\r -> f64.tanh (f64.sum (map2 (*) r x))) w)) xs)) w 1
