-- A gradient by the few parameters of a model is made by the device: the host would wait for each of its elements,
-- and for the parameter that they are computed from.
-- structure soac,gpu: loop.kernel 3, array 0
-- ==
-- entry: gradient
-- input { [2f64, 0.5f64, 3f64] [1f64, 2f64] }
-- output { [2.648721270700128f64, 10.234069041076314f64, -1.2130613194252668f64] }
def value [n] (p: [3]f64) (xs: [n]f64) : f64 =
  f64.exp (-p[1]) * f64.sum (map (\x -> f64.exp (p[1] * x) * (p[0] + x) - p[2]) xs)

entry gradient [n] (p: [3]f64) (xs: [n]f64) : [3]f64 = vjp (\p -> value p xs) p 1

-- What the host needs it reads.
-- ==
-- entry: both
-- input { [1i64, 2i64] } output { [3i64, 2i64] [3i64, 3i64, 3i64] }
-- input { empty([0]i64) } output { [0i64, 0i64] empty([0]i64) }
entry both [n] (xs: [n]i64) : ([2]i64, []i64) =
  let s = i64.sum xs
  in ([s, n], replicate s s)

-- ==
-- entry: changed
-- input { [1i64, 2i64] 1i64 } output { [3i64, 7i64] }
-- input { [1i64, 2i64] 0i64 } output { [7i64, 2i64] }
entry changed [n] (xs: [n]i64) (i: i64) : [2]i64 =
  let s = i64.sum xs
  in [s, n] with [i] = 7
