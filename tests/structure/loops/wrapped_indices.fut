-- Neighbours in a ring: a remainder of a number that is at most one period away is a comparison, and
-- the iterations in which it matters, the first and the last, become loops of their own.
-- structure inline_calls,simplify,scalarise,fuse,simplify,seq,simplify,scalarise,fuse_loops,hoist,peel,simplify: loop 3, if 1
-- ==
-- entry: main
-- input { [1f64, 10f64, 100f64, 1000f64] } output { [1020f64, 201f64, 2010f64, 102f64] }
-- input { [3f64] } output { [9f64] }
-- input { [3f64, 5f64] } output { [15f64, 9f64] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry main [n] (xs: [n]f64) : [n]f64 =
  tabulate n (\i -> xs[(i - 1) % n] + 2 * xs[(i + 1) % n])
