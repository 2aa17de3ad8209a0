-- Gradients of the steps of rows: blocks have copies of what all steps of all rows add to, in which each
-- thread has elements of its own, and columns for what threads add to together.  Without copies, and
-- without columns, there are versions in which the steps have atomic updates; in the one with both there
-- are none but to add the copies in the end.
-- structure soac,gpu: loop.blocks 29, loop.threads 108, loop.atomic 44
-- ==
-- entry: right
-- input { 40i64 20i64 9i64 } output { true }
-- input { 33i64 17i64 1i64 } output { true }
-- input { 3i64 20i64 9i64 } output { true }
-- input { 3i64 20i64 0i64 } output { true }
def value [k][s][t] (w: [k][k]f64) (b: [k]f64) (xss: [s][t]i64) : f64 =
  let row xs =
    f64.sum (loop a = b for u < t do
               map (\j -> (loop s = 0 for i < k do f64.sin (0.5 * s + a[i] * w[i, j])) * 0.1 + b[j] + w[xs[u] % k, j])
                   (iota k))
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
