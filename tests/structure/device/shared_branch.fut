-- Sums into several arrays whose terms come from one branch are one kernel's: the branch is taken once for all.
-- structure soac,gpu: loop.kernel 6, loop.blocks 5
-- ==
-- input { [1f64, 2f64, 0.5f64] [[1f64, 2f64], [3f64, 1f64], [0.25f64, 1f64]] }
-- output { [[1.350318437155063f64, 3.923132200353142f64], [-0.21851597052736804f64, 3.6588057197329507f64], [2.0581187084896237f64, 2.8692469156249256f64]] }
-- input { empty([0]f64) [[1f64, 2f64]] } output { [[0f64, 0f64]] }
def term (x: f64) (a: f64) (b: f64) : (f64, f64) =
  if a * x > 0.5
  then let u = f64.exp (-a * x) in (u * b, f64.sqrt (u + b * b))
  else (b + x, a * a * b * x)

entry main [n][k] (xs: [n]f64) (ps: [k][2]f64) : [k][2]f64 =
  vjp (\ps -> let (as, bs) = unzip (map (\p -> (p[0], p[1])) ps)
              in f64.sum (map (\x -> let (us, vs) = unzip (map2 (term x) as bs)
                                     in f64.log (f64.sum us) * f64.sum vs) xs)) ps 1
