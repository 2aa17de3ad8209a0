-- Steps of rows that are maps of sums: in one version a block does all steps of its row, and each of its
-- threads one of the sums; also in the return sweep.
-- structure soac,gpu: loop.blocks 70, loop.threads 161, loop.atomic 42
-- ==
-- entry: right
-- input { 20i64 20i64 9i64 } output { true }
-- input { 16i64 17i64 1i64 } output { true }
-- input { 3i64 20i64 9i64 } output { true }
-- input { 17i64 16i64 0i64 } output { true }
def soft [n] (xs: [n]f64) : f64 =
  let m = f64.maximum xs
  in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

def value [k][s][t] (w: [k][k]f64) (b: [k]f64) (xss: [s][t]i64) : f64 =
  let row xs =
    soft (loop a = b for u < t do
            map2 (\ws c -> soft (map2 (+) ws a) + 0.1 * c + w[xs[u] % k, 0]) w b)
  in f64.sum (map row xss)

entry gradient [k][s][t] (w: [k][k]f64) (b: [k]f64) (xss: [s][t]i64) : ([k][k]f64, [k]f64) =
  vjp (\(w, b) -> value w b xss) (w, b) 1

entry right (k: i64) (s: i64) (t: i64) : bool =
  let w = tabulate_2d k k (\i j -> f64.sin (f64.i64 (i * 7 + j)) * 0.5)
  let b = tabulate k (\i -> f64.cos (f64.i64 i) * 0.5)
  let xss = tabulate_2d s t (\i j -> (i * 31 + j * 17) % 1000)
  let dw = tabulate_2d k k (\i j -> f64.cos (f64.i64 (i + 3 * j)))
  let db = tabulate k (\i -> f64.sin (f64.i64 (3 * i)))
  let (gw, gb) = gradient w b xss
  let got = f64.sum (map2 (*) (flatten gw) (flatten dw)) + f64.sum (map2 (*) gb db)
  let want = jvp (\(w, b) -> value w b xss) (w, b) (dw, db)
  in f64.abs (got - want) <= 1e-9 * (1 + f64.abs want)
