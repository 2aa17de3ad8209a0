-- Forward mode and memory: results that are arguments, arrays updated in place, tangents given
-- twice, loops whose parameters become active late.
-- ==
-- entry: consume
-- input { [1.0, 2.0, 3.0] }
-- output { [10.0f64, 2.0f64, 3.0f64] [4.0f64, 20.0f64, 6.0f64] [1.0f64, 2.0f64, 3.0f64] }
entry consume (x: [3]f64) =
  let (y, t) = jvp2 (\x -> x) x [4, 5, 6]
  let y[0] = 10
  let t[1] = 20
  in (y, t, x)
-- ==
-- entry: twice
-- input { [1.0, 2.0, 3.0] }
-- output { [10.0f64, 2.0f64, 3.0f64] [1.0f64, 2.0f64, 3.0f64] [4.0f64, 20.0f64, 6.0f64]
--   [4.0f64, 5.0f64, 6.0f64] [1.0f64, 2.0f64, 3.0f64] }
entry twice (x: [3]f64) =
  let ((a, b), (ta, tb)) = jvp2 (\x -> (x, x)) x [4, 5, 6]
  let a[0] = 10
  let ta[1] = 20
  in (a, b, ta, tb, x)
-- ==
-- entry: same_seed
-- input { [1.0, 2.0, 3.0] }
-- output { [14.0f64, 12.0f64, 24.0f64] [2.0f64, 3.0f64, 4.0f64] [1.0f64, 2.0f64, 3.0f64] }
entry same_seed (x: [3]f64) =
  let s = map (+1) x
  let f (a: [3]f64, b: [3]f64) =
    let a' = copy a with [0] = b[1] * 2
    in map2 (*) a' b
  in (jvp f (x, x) (s, s), s, x)
-- ==
-- entry: second_round
-- input { 0.5 }
-- output { 4593.6576730000015f64 4593.6576730000015f64 }
entry second_round (x: f64) =
  let f x =
    let (a, b, _) = loop (a, b, c) = (1.0, 2.0, x) for _i < 5i32 do (b * 1.1, c * a, c + b)
    in a * b
  in (jvp f x 1, vjp f x 1)
-- ==
-- entry: swapping
-- input { [1.0, 2.0] }
-- output { [4.0f64, 2.0f64, 4.0f64, 0.0f64] [4.0f64, 0.0f64, 4.0f64, 0.0f64] [4.0f64, 2.0f64,
--   4.0f64, 0.0f64] [16.0f64, 0.0f64] }
entry swapping (x: [2]f64) =
  let f (x: [2]f64) =
    let (a, b) = loop (a, b) = (copy x, replicate 2 1.0) for i < 3 do
      let b' = copy b with [i % 2] = a[0] * f64.i64 i
      in (b', map (* 2) a)
    in (a ++ b) :> [4]f64
  in (jvp2 f x [1, 10], vjp2 f x [1, 2, 3, 4])
-- ==
-- entry: inplace_inactive
-- input { 0.5 }
-- output { [3.5f64, 0.125f64, 0.5f64, 1.75f64] [7.0f64, 0.75f64, 1.0f64, 7.0f64] [[7.0f64,
--   0.75f64, 1.0f64, 7.0f64], [14.0f64, 1.5f64, 2.0f64, 14.0f64], [21.0f64, 2.25f64, 3.0f64,
--   21.0f64]] }
entry inplace_inactive (x: f64) =
  let f x =
    let z = replicate 4 1.0
    let z[1] = x * x
    let z[2] = 7
    let z[1:3] = [z[2], z[1]]
    in loop z for i < 4 do z with [i] = z[(i + 1) % 4] * x
  in (jvp2 f x 1, jmp f x [1, 2, 3])
-- ==
-- entry: rows
-- input { [[1.0, 2.0], [3.0, 4.0]] }
-- output { [[9.0f64, 3.0f64], [9.0f64, 3.0f64]] [3.0f64, 3.0f64] [27.0f64, 27.0f64] [[9.0f64,
--   9.0f64], [9.0f64, 9.0f64]] [[300.0f64, 100.0f64], [300.0f64, 100.0f64]] [100.0f64,
--   100.0f64] [1800.0f64, 1800.0f64] [[300.0f64, 300.0f64], [300.0f64, 300.0f64]] [[[300.0f64,
--   100.0f64], [300.0f64, 100.0f64]], [[0.0f64, 0.0f64], [0.0f64, 0.0f64]]] }
entry rows (x: [2][2]f64) =
  let f (x: [2][2]f64) =
    let y = copy x
    let y[0] = map (* 3) x[1]
    let y[:, 1] = copy y[:, 0]
    in (transpose y, y[1], reduce (map2 (*)) [1, 1] y, scan (map2 f64.max) [-f64.inf, -f64.inf] y)
  in (jvp2 f x [[1, 10], [100, 1000]], jmp (\x -> (f x).0) x [[[1, 10], [100, 1000]], [[0, 1], [0, 0]]])
