-- Linear recurrences h' = a h + b, one for each channel, by a scan of pairs; weighted sums of all states.
def compose (a1: f32, b1: f32) (a2: f32, b2: f32) : (f32, f32) = (a1 * a2, a2 * b1 + b2)

entry primal [d][t] (a: [d][t]f32) (b: [d][t]f32) (c: [d][t]f32) : f32 =
  let channel a b c =
    let (_, h) = unzip (scan compose (1, 0) (zip a b))
    in f32.sum (map2 (*) h c)
  in f32.sum (map3 channel a b c) / f32.i64 t

entry gradient [d][t] (a: [d][t]f32) (b: [d][t]f32) (c: [d][t]f32) : ([d][t]f32, [d][t]f32, [d][t]f32) =
  vjp (\(a, b, c) -> primal a b c) (a, b, c) 1
