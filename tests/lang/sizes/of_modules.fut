-- Sizes that are values of modules, and of what functors make of them.
module type S = { val n : i64 val xs : [n]i64 }
module s : S = { def n = 3i64 def xs = replicate n 2i64 }
module F (p: S) = { def ys : [p.n]i64 = map (+ 1) p.xs }
module f = F s
-- ==
-- input { } output { [5i64, 5i64, 5i64] [3i64, 4i64, 5i64] }
entry main = (map2 (+) f.ys s.xs, map2 (+) f.ys (iota s.n))
