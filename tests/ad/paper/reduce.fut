-- Sums and products.
-- ==
-- input { [1.0, 2.0, 3.0] } output { [1.0, 1.0, 1.0] [6.0, 3.0, 2.0] }
-- input { [1.0, 0.0, 3.0] } output { [1.0, 1.0, 1.0] [0.0, 3.0, 0.0] }
-- input { [0.0, 0.0, 3.0] } output { [1.0, 1.0, 1.0] [0.0, 0.0, 0.0] }
entry main (xs: []f64) = (vjp f64.sum xs 1, vjp f64.product xs 1)

-- ==
-- entry: general
-- input { [1.0, 2.0, 3.0] } output { [2.0, 2.0, 2.0] }
entry general (xs: []f64) = vjp (reduce (\a b -> a + b + 0 * a * b) 0) xs 2
