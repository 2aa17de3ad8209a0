-- Loops that are written for several iterations at once, reductions with partial results, copies in
-- tiles: the sizes that shapes.sh runs them with are around the numbers of iterations.
entry dot [n] (xs: [n]f64) (ys: [n]f64) : f64 = reduce (+) 0 (map2 (*) xs ys)

entry stats [n] (xs: [n]f64) (_ys: [n]f64) : [5]f64 =
  let (a, b, c, d, e) =
    reduce (\(a1, b1, c1, d1, e1) (a2, b2, c2, d2, e2) ->
              (a1 + a2, f64.min b1 b2, f64.max c1 c2, d1 + d2, e1 ^ e2))
           (0, f64.inf, -f64.inf, 0i64, 0i32)
           (map (\x -> (x, x, x, if x > 0.5 then 1 else 0, i32.f64 (x * 100))) xs)
  in [a, b, c, f64.i64 d, f64.i32 e]

entry sums [n] (xs: [n]f64) (ys: [n]f64) : [4]f64 =
  [f64.sum (map f64.sqrt xs), f64.product (map (+ 0.5) xs), f64.minimum ys, f64.maximum ys]

entry not_neutral [n] (xs: [n]f64) (_ys: [n]f64) : f64 = reduce (+) 10 xs

entry matmul [n] (xs: [n]f64) (ys: [n]f64) : [n][n]f64 =
  let a = map (\x -> map (\y -> x - y) ys) xs
  let b = map (\x -> map (\y -> x * y + 1) ys) xs
  in map (\r -> map (\c -> reduce (+) 0 (map2 (*) r c)) (transpose b)) a

entry polynomial [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  map (\t -> (loop (s, p) = (0, 1) for c in ys do (s + c * p, p * t)).0) xs

entry exponentials [n] (xs: [n]f64) (ys: [n]f64) : []f64 =
  let largest = f64.maximum xs
  let es = map2 (\x y -> f64.exp (x - largest) + y) xs ys
  in es ++ [f64.sum es]

entry forces [n] (xs: [n]f64) (ys: [n]f64) : []f64 =
  let (fs, gs) =
    unzip (map2 (\x y ->
                   reduce (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
                          (map2 (\u v ->
                                   let (dx, dy) = (u - x, v - y)
                                   let r = dx * dx + dy * dy + 0.1
                                   in (dx / r, dy / r))
                                xs ys))
                xs ys)
  in fs ++ gs

entry narrow [n] (xs: [n]f64) (ys: [n]f64) : []f32 =
  let (a, b) = (map f32.f64 xs, map f32.f64 ys)
  let c = map2 (\x y -> f32.tanh x + f32.exp y) a b
  in c ++ [f32.sum (map2 (*) a b), f32.maximum c]

entry window [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  tabulate n (\i -> loop s = 0 for k < 5 do s + xs[(i + k) % n] * ys[k % n])

entry convolved [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let twice = xs ++ xs
  in tabulate n (\i -> loop s = ys[i] for k < n do s + twice[i + k] * ys[k])

entry transposed [n] (xs: [n]f64) (ys: [n]f64) : [][]f64 =
  copy (transpose (map (\x -> map (\y -> x - y) (ys ++ xs)) xs))

entry scanned [n] (xs: [n]f64) (ys: [n]f64) : []f64 =
  let s = scan (+) 0 (map2 (*) xs ys)
  in s ++ [f64.sum s]

entry histogram [n] (xs: [n]f64) (ys: [n]f64) : [7]f64 =
  reduce_by_index (replicate 7 0) (+) 0 (map (\x -> i64.f64 (x * 8) - 1) xs) ys

entry nested [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  map (\x -> loop s = x for i < 3 do loop t = s for j < 4 do t * 0.5 + f64.i64 (i * j) + x)
      (map2 (+) xs ys)

entry transposed_product [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let a = map (\x -> map (\y -> x * y + x) ys) xs
  in map (\c -> f64.sum (map2 (*) c ys)) (transpose a)

entry overwritten [n] (xs: [n]f64) (ys: [n]f64) : [n][n]f64 =
  loop a = map (\x -> map (+ x) ys) xs for k < n do
    map (\row -> map2 (\x y -> f64.min x (row[k] + y)) row a[k]) a

entry neighbours [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  let (a, b) =
    loop (a, b) = (copy xs, copy ys) for i < n - 1 do
      let p = a[i] * ys[i + 1]
      let q = b[i + 1] + xs[i]
      in (a with [i] = p + q, b with [i + 1] = q * p)
  in map2 (-) a b

entry carried_on [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 =
  loop a = copy xs for i < n - 1 do a with [i + 1] = a[i] * 0.5 + a[i + 1] * ys[i]

-- Many operations, in vectors, of which one has partial results.
entry many_operations [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, f64) =
  let f x y =
    let a = f64.exp (x - y) + f64.exp (y - 2 * x) + f64.exp (x * y)
    let b = f64.log (1 + a * a) - x / (1 + a) + y / (2 + a) - x * y * a
    let c = f64.sqrt (b * b + x * x + 1) + f64.sqrt (a + y * y) - a * b
    in f64.max c (a - b) + f64.min (x * c) (y * a) * 0.5 + a / c + b * c - x * b + y * c
  let zs = map2 f xs ys
  in (zs, f64.sum zs)

entry logistic [n] (xs: [n]f64) (ys: [n]f64) : ([n]f64, f64) =
  let zs = map2 (\x y -> f64.log1p (f64.exp (x - 3 * y))) xs ys
  in (zs, f64.sum zs)

entry logistic_narrow [n] (xs: [n]f64) (ys: [n]f64) : f32 =
  let (a, b) = (map f32.f64 xs, map f32.f64 ys)
  in f32.sum (opaque (map2 (\x y -> f32.log1p (x - 0.5 * y)) a b))
