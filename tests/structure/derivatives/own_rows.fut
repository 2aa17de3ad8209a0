-- The return sweep of a loop over the rows of an array writes each row of their adjoints once: no array of zeros is
-- filled for them, and none of it read back.
-- structure soac: replicate 2, scratch 3
-- ==
-- input { [[2.0, 1.0], [0.5, 3.0], [1.0, 2.0]] [[1.0, 0.0], [2.0, 1.0], [0.5, 4.0]] }
-- output { [[0.0, 0.0], [2.0, 0.0], [2.5, 1.0]] [[2.0, 10.0], [2.0, 3.0], [1.0, 1.0]] }
def f [t][d] (a: [t][d]f64) (b: [t][d]f64) : f64 =
  let (_, hs) =
    loop (h, hs) = (replicate d 0, replicate t (replicate d 0)) for i < t do
      let h' = map3 (\a h b -> a * h + b) a[i] h b[i]
      in (h', hs with [i] = h')
  in f64.sum (map f64.sum hs)

entry main [t][d] (a: [t][d]f64) (b: [t][d]f64) : ([t][d]f64, [t][d]f64) = vjp (\(a, b) -> f a b) (a, b) 1
