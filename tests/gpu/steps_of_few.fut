-- Steps of rows, forth and back, in blocks that have more threads than a step has elements.  Compiled with
-- optimisation too (kernels.sh): PoCL took the last thread's branch for all.
-- ==
-- input { 20i64 20i64 9i64 } output { true }
def soft [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def value [k][n] (w: [k][k]f64) (b: [k]f64) (rs: [n]f64) (t: i64) : f64 =
  let row r =
    f64.sum (loop a = map (* r) b for _u < t do
               map (\ws -> soft (map2 (+) ws a)) w)
  in f64.sum (map row rs)

entry main (n: i64) (k: i64) (t: i64) : bool =
  let w = tabulate_2d k k (\i j -> f64.sin (f64.i64 (i * 7 + j)) * 0.5)
  let b = tabulate k (\i -> f64.cos (f64.i64 i) * 0.5)
  let rs = tabulate n (\r -> f64.i64 (r + 1))
  let db = tabulate k (\i -> f64.sin (f64.i64 (3 * i)))
  let got = f64.sum (map2 (*) (vjp (\b -> value w b rs t) b 1) db)
  let want = jvp (\b -> value w b rs t) b db
  in f64.abs (got - want) <= 1e-9 * (1 + f64.abs want)
