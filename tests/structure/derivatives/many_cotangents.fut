-- The forward sweep is executed once for all cotangents: what the loop keeps is made outside the map.
-- structure soac: loop 2, scratch 1
-- depth soac: scratch 0
-- ==
-- input { 0.5 3i64 [1.0, 2.0] }
-- output { [0.4855950528444536, 0.9711901056889072] }
entry main [k] (x: f64) (n: i64) (g: [k]f64) : [k]f64 =
  mjp (\x -> loop y = x for _i < n do f64.sin (y * x)) x g
