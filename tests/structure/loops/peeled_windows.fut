-- A window that a loop inside slides along is clamped in the first and last iterations alone: three loops around it, one of
-- which has neither min nor max.  Sizes: shorter than the window, as long, longer; none.
-- structure inline_calls,simplify,scalarise,fuse,simplify,seq,simplify,scalarise,fuse_loops,hoist,peel,simplify: loop 6
-- ==
-- entry: main
-- input { [1f64, 2f64, 3f64, 4f64, 5f64, 6f64, 7f64, 8f64] [1f64, 10f64, 100f64, 1000f64, 10000f64] }
-- output { [32111f64, 43211f64, 54321f64, 65432f64, 76543f64, 87654f64, 88765f64, 88876f64] }
-- input { [1f64, 2f64] [1f64, 10f64, 100f64, 1000f64, 10000f64] } output { [22111f64, 22211f64] }
-- input { [7f64] [1f64, 10f64, 100f64, 1000f64, 10000f64] } output { [77777f64] }
-- input { empty([0]f64) [1f64, 10f64, 100f64, 1000f64, 10000f64] } output { empty([0]f64) }
entry main [n] (xs: [n]f64) (w: [5]f64) : [n]f64 =
  tabulate n (\i -> f64.sum (map (\k -> w[k] * xs[i64.max 0 (i64.min (n - 1) (i + k - 2))]) (iota 5)))
