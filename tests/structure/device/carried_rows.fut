-- What a loop logs it carries in the log: no copy for each iteration, only some
-- in front of the loops and behind them.
-- depth soac,gpu,gpu_mem: copies 0

def mix [n] (w: [n][n]f64) (x: [n]f64) : [n]f64 = map (\row -> f64.tanh (f64.sum (map2 (*) row x))) w

-- The value before.
-- ==
-- entry: last
-- input { 3i64 [[0.5, -0.25], [1.0, 0.75]] [1.0, 2.0] }
-- output { [[0.730842420182956, 3.804273160279692], [-0.23246554204963393, 0.87701884296074]] [0.47436072098733384, -0.2409981500069089] }
entry last [n] (k: i64) (w: [n][n]f64) (x: [n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(w, x) -> f64.sum (loop x for _i < k do mix w x)) (w, x) 1

-- The two before.
-- ==
-- entry: before
-- input { 3i64 [[0.5, -0.25], [1.0, 0.75]] [1.0, 2.0] }
-- output { [[30.958031845582035, 62.83116257972523], [-0.3251027435198861, -0.3217000959904406]] [4.873706852578113, -16.960285284813015] }
entry before [n] (k: i64) (w: [n][n]f64) (x: [n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(w, x) ->
         let (a, b) = loop (a, b) = (x, map (* 2) x) for _i < k do (b, map2 (-) (mix w b) a)
         in f64.sum a * f64.sum b)
      (w, x)
      1

-- The value is also given back, and what it becomes is changed.
-- ==
-- entry: changed
-- input { 3i64 [[0.5, -0.25], [1.0, 0.75]] [1.0, 2.0] }
-- output { [7.0, 0.22609540982180082] [[1.607540214817265, 6.439125749742052], [-0.459240543126173, 1.9034868289489981]] }
entry changed [n] (k: i64) (w: [n][n]f64) (x: [n]f64) : ([n]f64, [n][n]f64) =
  let (y, back) = vjp2 (\w -> loop x for _i < k do mix w x) w x
  in (y with [0] = 7, back)
