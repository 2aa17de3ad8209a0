-- Values of a scan or reduction that neither a result nor another value needs are not computed.
-- structure soac: screma 1, prim 3
-- ==
-- input { [1f64, 2f64, 3f64] [true, false, true] }
-- output { [1f64, 3f64, 3f64] 6f64 }
entry main [n] (xs: [n]f64) (flags: [n]bool) : ([n]f64, f64) =
  let op (a, f, p, q) (b, g, r, s) = (if g then b else a + b, f || g, p * r, q - s * p)
  let (sums, _, _, _) = unzip4 (scan op (0, false, 1, 0) (zip4 xs flags xs xs))
  let (_, all) = reduce (\(a, b) (c, d) -> (f64.min a c, b + d)) (f64.inf, 0) (zip xs xs)
  in (sums, all)
