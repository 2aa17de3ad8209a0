-- For one thread a scan, a reduction and a histogram of any operator are loops in reverse mode: one
-- with what is kept and one for the return sweep each, without sorting, and without arrays for what
-- a cheap map makes.  No array of zeros is filled that the return sweep of a loop fills anyway.
-- structure sequential: loop 6, screma.scan 0, hist 0
-- structure sequential: replicate 0
-- structure soac: hist 1
-- ==
-- input { [0.5, -1.0, 0.25] [1i64, 0i64, 1i64] }
-- output { [2.0234375, 3.6875, 2.6875] }
def op (a: f64, b: f64) (c: f64, d: f64) = (a * c, b * c + d)
entry main [n] (x: [n]f64) (is: [n]i64) : [n]f64 =
  vjp (\y -> let z = map (\v -> (0.5 + v, v)) y
             let s = f64.sum (map (.1) (scan op (1, 0) z))
             let (p, q) = reduce op (1, 0) z
             let h = hist op (1, 0) 2 is z
             in s + p * q + f64.sum (map (\(a, b) -> a + b) h)) x 1
