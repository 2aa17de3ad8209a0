-- Linear recurrences h' = a h + b with time first: a loop that carries the states of all channels and
-- writes each into an array.
entry primal [d][t] (a: [t][d]f64) (b: [t][d]f64) (c: [t][d]f64) : f64 =
  let (_, hs) =
    loop (h, hs) = (replicate d 0, replicate t (replicate d 0)) for i < t do
      let h' = map3 (\a h b -> a * h + b) a[i] h b[i]
      in (h', hs with [i] = h')
  in f64.sum (map2 (\h c -> f64.sum (map2 (*) h c)) hs c) / f64.i64 t

entry gradient [d][t] (a: [t][d]f64) (b: [t][d]f64) (c: [t][d]f64) : ([t][d]f64, [t][d]f64, [t][d]f64) =
  vjp (\(a, b, c) -> primal a b c) (a, b, c) 1
