-- Loops whose iterations are kernels (graphs.c calls these entry points in random order).
-- ==
-- entry: steps
-- input { 3i64 [1f64, 2f64] } output { [1.375f64, 3.375f64] }

-- Several kernels to an iteration, with arrays that change places.
entry steps [n] (k: i64) (xs: [n]f64) : [n]f64 =
  loop xs for i < k do
    let ys = scan (+) 0 (map (\x -> x * 0.5 + f64.i64 i * 0.5) xs)
    in if n > 40 then map2 (-) ys (reverse xs) else ys

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
