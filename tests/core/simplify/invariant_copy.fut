-- What an iteration hands on as a copy, and nothing consumes, is the same in all of them.
-- structure soac: copy 0, loop 1
-- ==
-- entry: main
-- input { [1.0,2.0,3.0] [4.0,5.0,6.0] 3i64 } output { [1.0,2.0,3.0] [7.0,11.0,15.0] }
-- input { [1.0,2.0,3.0] [4.0,5.0,6.0] 0i64 } output { [1.0,2.0,3.0] [4.0,5.0,6.0] }
entry main [n] (x: *[n]f64) (y: *[n]f64) (k: i64) : ([n]f64, [n]f64) =
  loop (p: *[n]f64, q: *[n]f64) = (x, y) for _i < k do (copy p, map2 (+) p q)
