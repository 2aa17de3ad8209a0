-- Causal attention over given queries, keys and values without ever keeping scores: each query goes
-- over the keys before it with a running maximum, sum and weighted mean.
entry primal [b][s][k] (q: [b][s][k]f32) (keys: [b][s][k]f32) (v: [b][s][k]f32) : f32 =
  let scale = 1 / f32.sqrt (f32.i64 k)
  let row (ks: [s][k]f32) (vs: [s][k]f32) (i: i64) (qi: [k]f32) =
    let (_, z, acc) =
      loop (top, z, acc) = (f32.lowest, 0, replicate k 0) for j < i + 1 do
        let score = scale * f32.sum (map2 (*) qi ks[j])
        let new = f32.max top score
        let (keep, add) = (f32.exp (top - new), f32.exp (score - new))
        in (new, keep * z + add, map2 (\a x -> keep * a + add * x) acc vs[j])
    in map (/ z) acc
  let one (q, ks, vs) = map2 (row ks vs) (iota s) q
  let y = map one (zip3 q keys v)
  in f32.sum (map (\v -> v * v) (flatten_3d y)) / f32.i64 (b * s * k)

entry gradient [b][s][k]
               (q: [b][s][k]f32) (keys: [b][s][k]f32) (v: [b][s][k]f32)
             : ([b][s][k]f32, [b][s][k]f32, [b][s][k]f32) =
  vjp (\(q, keys, v) -> primal q keys v) (q, keys, v) 1
