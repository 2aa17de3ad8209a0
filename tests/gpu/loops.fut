-- Loops whose iterations are kernels (graphs.c calls these entry points in random order).
-- ==
-- entry: steps
-- input { 3i64 [1f64, 2f64] } output { [1.375f64, 3.375f64] }

-- Several kernels to an iteration, with arrays that change places.
entry steps [n] (k: i64) (xs: [n]f64) : [n]f64 =
  loop xs for i < k do
    let ys = scan (+) 0 (map (\x -> x * 0.5 + f64.i64 i * 0.5) xs)
    in if n > 40 then map2 (-) ys (reverse xs) else ys

-- ==
-- entry: apart
-- input { 2i64 [1f64, 2f64] } output { [0.7001953125f64, 0.9814453125f64] }

-- Kernels that have nothing to do with each other, and one writes what another one has read.
entry apart [n] (k: i64) (xs: [n]f64) : [n]f64 =
  let (as, bs, cs, s) =
    loop (as, bs, cs, s) = (copy xs, map (* 0.5) xs, map (+ 1) xs, 0) for i < k do
      let ps = scan (+) 0 (map (* 0.125) as)
      let qs = scan f64.max 0 bs
      let rs = scan f64.min 1000 cs
      let t = f64.sum (scan (+) 0 (map (* 0.25) bs)) + f64.maximum (scan f64.max 0 cs)
      let as = as with [i % n] = qs[n - 1] * 0.25
      let cs = map3 (\a r c -> a * 0.25 + r * 0.125 + c * 0.5) as (reverse rs) cs
      in (as, map2 (\p r -> (p - r) * 0.5) ps rs, cs, s * 0.5 + t * 0.0625)
  in map3 (\a b c -> a + b + c + s) as bs cs

-- The lengths that the host must know to go on.
entry halves (n: i64) (x: i64) : []i64 =
  let (_, xs) =
    loop (m, xs) = (n, map (+ x) (iota n))
    while m > 2 do
      let ys = filter (\v -> v % 3 != x % 3) (map (\v -> v * 5 + 1) xs)
      in (m / 2, ys)
  in xs

-- An index may be out of bounds, in the middle.
entry picks [n] (k: i64) (xs: [n]f64) (is: [k][n]i64) : ([n]f64, f64) =
  let ys = loop xs for i < k do map (\j -> xs[j] + 1) is[i]
  in (ys, f64.sum ys)

entry large (n: i64) : []f64 = map f64.i64 (iota n)
