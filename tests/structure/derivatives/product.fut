-- A product: one quotient for each element, scans only where the product is no normal number.
-- structure soac: if 3, screma.scan 2
-- ==
-- input { [1f64,2f64,3f64] }
-- output { [6.0f64, 3.0f64, 2.0f64] }
entry main [n] (xs: [n]f64) : [n]f64 = vjp f64.product xs 1
