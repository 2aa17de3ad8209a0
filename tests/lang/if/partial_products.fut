-- Partial products whose factors are chosen by a branch with a name of its own.
-- ==
-- input { 0.5 [1.0, 2.0, 3.0, 0.25, 1.5, 1.25, 0.5, 2.0, 1.75, 3.0, 0.5, 1.0, 2.0, 0.5, 4.0, 1.5, 1.0, 2.0] }
-- output { 55.51115123127238f64 }
def h0 [k] (ha: f64) (hv: [k]f64) : f64 =
  reduce (*) 1 (map (\_ ->
    let v = if ha < ha then replicate k (map2 (\_ b -> b) hv hv) else replicate k hv
    in if ha < hv[4 % k] then hv[3 % k] else v[0 % k, 0 % k]) hv)
entry main [k] (ha: f64) (hv: [k]f64) : f64 = h0 ha hv + h0 hv[0] (map (+1) hv)
