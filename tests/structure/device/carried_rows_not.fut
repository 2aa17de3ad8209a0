-- What a loop logs may be what it had logged before, or comes from a loop inside, which may do nothing:
-- it is copied.  The logs of loops inside hold what these carry.
-- depth soac,gpu,gpu_mem: copies 1

def mix [n] (w: [n][n]f64) (x: [n]f64) : [n]f64 = map (\row -> f64.tanh (f64.sum (map2 (*) row x))) w

-- Nothing may happen in an iteration.
-- ==
-- entry: perhaps
-- input { 4i64 0i64 [[0.5, -0.25], [1.0, 0.75]] [1.0, 2.0] }
-- output { [[1.0749797609263516, 3.078903325122411], [5.790933385455232e-3, 0.6077003674894014]] [0.543280813848631, -0.26440174019249646] }
-- input { 4i64 2i64 [[0.5, -0.25], [1.0, 0.75]] [1.0, 2.0] }
-- output { [[0.531312527474842, -0.7039272411425808], [0.17341135732299712, 0.27462182098784127]] [2.6503591275980716e-3, 9.087862296479686e-4] }
entry perhaps [n] (k: i64) (m: i64) (w: [n][n]f64) (x: [n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(w, x) ->
         f64.sum (loop x for i < k do
                    let y = if i % 2 == 0 then x else mix w x
                    in loop y for _j < m do mix w y))
      (w, x)
      1

-- A log for each iteration of a loop around.
-- ==
-- entry: nested
-- input { 3i64 2i64 [[0.5, -0.25], [1.0, 0.75]] [1.0, 2.0] }
-- output { [[7.147549861019496e-2, 0.4148148558297228], [-7.024938788242589e-2, 0.21090437758036867]] [1.6229267043253393e-2, -3.3220844600243236e-3] }
entry nested [n] (k: i64) (m: i64) (w: [n][n]f64) (x: [n]f64) : ([n][n]f64, [n]f64) =
  vjp (\(w, x) ->
         f64.sum (loop x for _i < k do map2 (*) x (loop y = x for _j < m do mix w y)))
      (w, x)
      1
