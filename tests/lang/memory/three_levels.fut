-- Loops that carry two arrays and make a third in each iteration: the memory of what is carried is not
-- taken again, also where such a loop runs on one thread of a device.
def steps [n] (c: [n]f64) (k: i32) : [n]f64 =
  (loop (a, b) = (map (\i -> f64.i64 (i * i % 7)) (iota n), replicate n 0) for _t < k do
     let next = loop next = copy b for i in 1..<n - 1 do
       next with [i] = 2 * a[i] - next[i] + c[i] * (a[i - 1] - 2 * a[i] + a[i + 1])
     in (next, a)).0

entry main [n] (c: [n]f64) : ([n]f64, f64) =
  let r = steps c 8
  in (r, f64.sum r)

entry constant : ([5]f64, f64) =
  let r = steps [0.5, -1, 2, 0.25, -0.5] 8
  in (r, f64.sum r)

entry rows [m][n] (cs: [m][n]f64) : [m]f64 =
  map (\c -> f64.sum (steps c 5)) cs

-- ==
-- entry: main
-- input { [0.5, -1.0, 2.0, 0.25, -0.5] }
-- output { [0.0, -2127.78125, -793.671875, -95.60546875, 2.0] -3015.05859375 }

-- ==
-- entry: constant
-- input { }
-- output { [0.0, -2127.78125, -793.671875, -95.60546875, 2.0] -3015.05859375 }

-- ==
-- entry: rows
-- input { [[0.5, -1.0, 2.0, 0.25, -0.5], [0.5, 1.0, -2.0, 0.125, -0.5]] }
-- output { [-85.46875, 15995.7744140625] }
