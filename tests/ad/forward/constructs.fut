-- Forward mode of all types and constructs, with one tangent and with many.
-- ==
-- entry: ints
-- input { 3i32 [1i64, 2i64] true 2.5f32 }
-- output { 4i32 [9i64, 18i64] false true 7.5f64 2i32 1075838976u32 2.5f32 3i64 0i32 [102i64,
--   204i64] false true 6.5f64 0i32 1056964608u32 0.5f32 30i64 }
entry ints (a: i32) (b: [2]i64) (c: bool) (d: f32) =
  let f (a: i32, b: [2]i64, c: bool, d: f32) =
    (a * a / 2, map (\x -> x * i64.i32 a ** 2) b, !c, c, f64.f32 d * f64.i32 a,
     i32.f32 d, f32.to_bits d, f32.from_bits (f32.to_bits d), i64.sum b)
  in jvp2 f (a, b, c, d) (2, [10, 20], true, 0.5f32)
-- ==
-- entry: filters
-- input { [1.0, -2.0, 3.0, -4.0] }
-- output { 10.0f64 8.0f64 3.0f64 602.0f64 -2032.0f64 100.0f64 [602.0f64, 8.0f64] [-2032.0f64,
--   2.0f64] [100.0f64, 1.0f64] }
entry filters (x: [4]f64) =
  let f (x: [4]f64) =
    let p = filter (> 0) x
    let (q, r) = partition (< 2) x
    in (f64.sum (map (** 2) p), f64.product q, f64.maximum r)
  in (jvp2 f x [1, 10, 100, 1000], unzip3 (jmp f x [[1, 10, 100, 1000], [1, 1, 1, 1]]))
type t = #circle f64 | #rect f64 f64 | #none
-- ==
-- entry: sumtypes
-- input { 1i32 2.0 }
-- output { [12.566370614359172f64, 8.0f64, 0.0f64] [12.566370614359172f64, 12.0f64, 0.0f64] }
entry sumtypes (k: i32) (x: f64) =
  let mk k (x: f64) : t = match k case 0 -> #circle x case 1 -> #rect x (x * x) case _ -> #none
  let area (s: t) = match s case #circle r -> f64.pi * r * r case #rect a b -> a * b case #none -> 0
  in unzip (map (\k -> jvp2 (\x -> area (mk k x)) x 1) [0, k, 2])
-- ==
-- entry: whiles
-- input { 100.0 }
-- output { 0.5609053497942388f64 5i64 5.609053497942385e-3f64 0i64 [5.609053497942385e-3f64,
--   1.121810699588477e-2f64] [0i64, 0i64] }
entry whiles (x: f64) =
  let f x = loop (y, n) = (x, 0i64) while y > 1 do (y / 3 + 0.1 * x / 100, n + 1)
  in (jvp2 f x 1, unzip (jmp f x [1, 2]))
-- ==
-- entry: scatters
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 9i64] }
-- output { [4.0f64, 20.0f64, 1.0f64] [40.0f64, 100.0f64, 2.0f64] [4.0f64, 8.0f64, 1.0f64]
--   [40.0f64, 0.0f64, 2.0f64] [8.0f64, 20.0f64, 7.0f64] [0.0f64, 100.0f64, 0.0f64] [[40.0f64,
--   100.0f64, 2.0f64], [4.0f64, 10.0f64, 0.0f64]] }
entry scatters (x: [3]f64) (is: [3]i64) =
  let f (x: [3]f64) = scatter (map (* 10) x) is (map (** 2) x)
  let g (x: [3]f64) = scatter [7.0, 8.0, 9.0] is (map (** 2) x)
  let h (x: [3]f64) = scatter (map (* 10) x) is [7.0, 8.0, 9.0]
  in (jvp2 f x [1, 10, 100], jvp2 g x [1, 10, 100], jvp2 h x [1, 10, 100], jmp f x [[1, 10, 100], [0, 1, 0]])
-- ==
-- entry: hists
-- input { [1.0, 2.0, 3.0] [2i64, 0i64, 0i64] }
-- output { [14.5f64, 3.0f64, 5.5f64] [641.5f64, 15.0f64, 152.0f64] [54.0f64, 3.0f64, 4.5f64]
--   [4194.0f64, 15.0f64, 159.0f64] [9.0f64, 3.0f64, 4.5f64] [600.0f64, 15.0f64, 150.0f64]
--   [124.0f64, 3.0f64, 10.0f64] [8575.0f64, 15.0f64, 311.0f64] [[4194.0f64, 15.0f64,
--   159.0f64], [54.0f64, 1.5f64, 0.0f64]] }
entry hists (x: [3]f64) (is: [3]i64) =
  let f op ne (x: [3]f64) = reduce_by_index (map (* 1.5) x) op ne is (map (** 2) x)
  in (jvp2 (f (+) 0) x [1, 10, 100], jvp2 (f (*) 1) x [1, 10, 100],
      jvp2 (f f64.max (-f64.inf)) x [1, 10, 100],
      jvp2 (f (\a b -> a + b + a * b * x[0]) 0) x [1, 10, 100], jmp (f (*) 1) x [[1, 10, 100], [0, 1, 0]])
-- ==
-- entry: neutral
-- input { [2.0, 3.0] [1.0, 5.0] }
-- output { [4.0f64, 1125.0f64] [[1.0f64, 5.0f64], [2.0f64, 75.0f64], [4.0f64, 1125.0f64]]
--   [0.5f64, 0.3333333333333333f64] [4.0f64, 7500.0f64] [[0.0f64, -2.220446049250313e-15f64],
--   [1.0f64, 249.99999999999997f64], [4.0f64, 7500.0f64]] [-0.25f64, -1.1111111111111112f64] }
entry neutral (w: [2]f64) (x: [2]f64) =
  let f (w: [2]f64) =
    let op (a: [2]f64) (b: [2]f64) = map3 (\a w b -> a * w * b) a w b
    in (reduce op (map (1 /) w) [x, x, x], scan op (map (1 /) w) [x, x, x], reduce op (map (1 /) w) [])
  in jvp2 f w [1, 10]
-- ==
-- entry: argmin
-- input { [4.0, 2.0, 2.0, 5.0] }
-- output { 2.0f64 1i64 5.0f64 2.0f64 [4.0f64, 2.0f64, 2.0f64, 2.0f64] 10.0f64 0i64 1000.0f64
--   10.0f64 [1.0f64, 10.0f64, 10.0f64, 10.0f64] }
entry argmin (x: [4]f64) =
  let f (x: [4]f64) =
    let op (a: f64, i: i64) (b: f64, j: i64) = if b < a || (b == a && j < i) then (b, j) else (a, i)
    in (reduce op (f64.inf, 4) (zip x (iota 4)), f64.maximum x, f64.minimum x, scan f64.min f64.inf x)
  in (jvp2 f x [1, 10, 100, 1000])
-- ==
-- entry: many_mixed
-- input { [1.0, 2.0, 3.0] }
-- output { -84.1762961396137f64 [6.0f64, 12.0f64, 18.0f64] [-0.27941549819892586f64,
--   -0.5365729180004349f64, -0.750987246771676f64] 1.0f64 [1487.053923124225f64,
--   424.9456867115694f64, 266.44463312213793f64] [[7.0f64, 2.0f64, 3.0f64], [1.0f64, 8.0f64,
--   3.0f64], [1.0f64, 2.0f64, 9.0f64]] [[6.721192006552561f64, 1.6877079174649843f64,
--   1.9809501247322405f64], [0.960170286650366f64, 6.750831669859937f64,
--   1.9809501247322405f64], [0.960170286650366f64, 1.6877079174649843f64,
--   5.942850374196722f64]] [1.0f64, 0.0f64, 0.0f64] -84.1762961396137f64
--   [[1487.0539231242253f64, 424.94568671156935f64, 266.44463312213793f64],
--   [2974.1078462484506f64, 849.8913734231387f64, 532.8892662442759f64]] }
entry many_mixed (x: [3]f64) =
  let f (x: [3]f64) =
    let s = f64.sum x
    let y = map (* s) x
    let z = if s > 3 then map f64.sin y else y
    let (l, _) = loop (a, i) = (0.0, 0i64) while i < 3 do (a * s + z[i], i + 1)
    in (l * s, y, z, x[0])
  in (let (a, b) = jmp2 f x (map (\i -> map (\j -> f64.bool (i == j)) (iota 3)) (iota 3)) in (a, unzip4 b),
      mjp2 (\x -> (f x).0) x [1, 2])
