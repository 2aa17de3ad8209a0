-- Sums into several arrays whose terms come from one branch are one kernel's: the branch is taken once for all.
-- structure soac,gpu: loop.kernel 11, loop.blocks 5
-- ==
-- input { [1f64, -2f64, 0.5f64] [[1f64, 2f64], [3f64, -1f64], [0.25f64, 1f64]] }
-- output { [[0.0f64, 0.0f64], [11.92526545941524f64, -19.880197290872346f64], [0.0f64, 0.0f64]] }
-- input { empty([0]f64) [[1f64, 2f64]] } output { [[0f64, 0f64]] }
def term (x: f64) (a: f64) (b: f64) : (f64, f64) =
  if a * x > 0.5
  then let u = f64.exp (-a * x) in (u * b, f64.sqrt (u + b * b))
  else (b + x, a * a * b * x)

def nearest (xs: [](f64, f64)) : f64 =
  (reduce (\(a, c) (b, d) -> if b < a then (b, d) else (a, c)) (1e9, 0) xs).1

entry main [n][k] (xs: [n]f64) (ps: [k][2]f64) : [k][2]f64 =
  vjp (\ps -> let (as, bs) = unzip (map (\p -> (p[0], p[1])) ps)
              in f64.sum (map (\x -> nearest (map2 (term x) as bs)) xs)) ps 1
