-- Sums of neighbours are computed element by element, also at the ends and for few of them.
-- structure soac: withacc 4
-- structure soac,gather_sums,simplify: withacc 1
-- ==
-- entry: chain
-- input { [2f64] [3f64] } output { [0f64] }
-- input { [2f64, 5f64] [3f64, 7f64] } output { [14f64, 6f64] }
-- input { [2f64, 5f64, 1f64] [3f64, 7f64, 4f64] } output { [14f64, 26f64, 35f64] }
-- input { empty([0]f64) empty([0]f64) }
-- error: Range
entry chain [n] (ws: [n]f64) (ys: [n]f64) : [n]f64 =
  vjp (\ys -> f64.sum (map (\i -> ws[i] * ys[i] * ys[i + 1]) (iota (n - 1)))) ys 1

-- ==
-- entry: three
-- input { [1f64, 2f64] } output { [0f64, 0f64] }
-- input { [1f64, 2f64, 4f64] } output { [2f64, -3f64, 2f64] }
-- input { [1f64, 2f64, 4f64, 8f64, 5f64] } output { [2f64, 1f64, 4f64, -19f64, 8f64] }
-- input { [1f64] }
-- error: Range
entry three [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (map (\i -> let x = xs[i] - 2 * xs[i + 1] + xs[i + 2] in x * xs[i + 1]) (iota (n - 2)))) xs 1

-- What two updates need and is much work is not computed twice.
-- ==
-- entry: costly
-- input { [0f64] } output { [0f64] }
-- input { [0f64, 1f64, 0f64] } output { [2.718281828459045f64, 5.43656365691809f64, 2.718281828459045f64] }
entry costly [n] (xs: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (map (\i -> f64.exp (xs[i] + xs[i + 1])) (iota (n - 1)))) xs 1

-- ==
-- entry: inputs
-- input { [1f64, 2f64, 3f64, 0f64] [4f64, 5f64, 6f64, 7f64] } output { [8f64, 14f64, 17f64, 6f64] }
entry inputs [n] (ws: [n]f64) (xs: [n]f64) : [n]f64 =
  vjp (\xs -> f64.sum (map2 (\i w -> (w + 2) * xs[i] + xs[i + 1] * xs[i] + w * w) (iota (n - 1)) (take (n - 1) ws))) xs 1
