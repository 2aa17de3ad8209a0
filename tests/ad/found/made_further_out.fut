-- A random program whose accumulations would have been moved to where an array is made further out than
-- it is consumed: it must compile.
-- ==
-- entry: p0
-- input { [-0.43, -0.06, 0.31, 0.68, 1.05] [-0.06, 0.31] }
type rec [k] = {p: f64, q: [k]f64}
type sum [k] = #one f64 | #two f64 ([k]f64)

def some (k: i64) : [k]f64 = map (\i -> f64.sin (1.7 * f64.i64 i + 0.3) + 0.1) (iota k)
def dot [k] (a: [k]f64) (b: [k]f64) : f64 = f64.sum (map2 (*) a b)
def first [n][m] (f: ([n]f64, [m]f64) -> [n]f64) (x: [n]f64) (z: [m]f64) =
  let (y, (gx, gz)) = vjp2 f (x, z) (some n)
  let (y', t) = jvp2 f (x, z) (some n, some m)
  let moved [k] h (x: [k]f64) = map2 (\d x -> x + h * d) (some k) x
  let at h = f (moved h x, moved h z) |> dot (some n)
  let h = 1e-4
  in (y, y', gx, gz, t, [at h, at (-h), at (2 * h), at (-2 * h)])
def second [n][m] (f: ([n]f64, [m]f64) -> [n]f64) (x: [n]f64) (z: [m]f64) =
  let d = (some n, some m)
  let (ax, az) = jvp (\p -> vjp f p (some n)) (x, z) d
  let (bx, bz) = vjp (\p -> vjp f p (some n)) (x, z) d
  let (cx, cz) = vjp (\p -> jvp f p d) (x, z) (some n)
  in (ax, az, bx, bz, cx, cz)

def h0_0 (k: i64) (ha: f64) : f64 = if k <= 0 then (f64.sin 0.14) else (\hb -> ((loop (s0, j1) = ((f64.sum (filter (\e2 -> e2 < 1.07) (map (\i -> ha + 0.2 * f64.i64 i) (iota 3)))), 0i64) while j1 < 3 && s0 < 2.5 do
(
          let v3 = (reverse (some 3))
          in (f64.abs v3[(4 % 3)]), j1 + 1)).0)) (h0_0 (k - 1) ((\q -> q / (1 + q * q)) ha))

def f0 [n][m] (x: [n]f64, z: [m]f64) : [n]f64 =
  let two = (n + 5) / (n + 4) + 1
  let three = two + 1
  let v13 = ((\a b -> map (\r ->
    map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a) (replicate two (replicate 2 z[(1 % m)])) (map (scan (*) 1) (loop a10 : [2][3]f64 = (replicate 2 (replicate 3 1.82)) for j11 < 1 do
      let v12 = x[((j11 + 1) % n)]
      in (replicate 2 (some 3)))))
  let v85 = (jvp (\d16 ->
      let v42 = (loop s17 = v13[(2 % two), (0 % 3)] for e19 in (if v13[(2 % two), (2 % 3)] < z[(2 % m)] then (map (\i -> 1.26 * f64.i64 i - 0.3) (iota 3)) else (some 3)) do
          let v41 = (if s17 < s17 then
              let v40 = (map (\e24 ->
                  let (s29, v30) = loop (s26, v27 : [2]f64) = (e24, (map (\i -> e24 + 0.2 * f64.i64 i) (iota 2))) for j28 < ((n + 0) % 4 + 1) do (s26, v27)
                  let v39 = (loop (a35 : *[two][2]f64) = copy (replicate two v30) for j36 < ((n + 4) % 6 + 1) do
                      let a37 = a35 with [((j36 + 0) % two)] = (copy (replicate 2 (0.1 * f64.i64 j36)))
                      let a38 = if j36 % 2 == 0 then a37 with [((j36 + 3) % two), ((j36 + 2) % 2)] = v13[(1 % two), ((j36 + 1) % 3)] else a37
                      in a38)
                  in (replicate 3 x[(3 % n)])) (replicate 2 s17))
              in (replicate m (replicate 2 e19)) else (replicate m (some 2)))
          in (f64.sgn s17 * 0.5))
      in (if (f64.erf (match (#two v42 d16 : sum [m])
 case #one a45 ->
          let v48 = 1.60
          in z[(1 % m)]
 case #two b46 c47 -> v13[(3 % two), (4 % 3)])) < v42 then
          let v49 = {p = z[(0 % m)], q = (replicate three v13[(0 % two), (4 % 3)])}
          in (map (\e52 ->
              let v64 = (loop (a60 : *[two]f64) = copy (map (\i -> 0.79 * f64.i64 i - 0.3) (iota two)) for j61 < m do
                  let a62 = a60 with [(i64.f64 (7 * f64.abs (f64.sin v42)) % two)] = d16[((j61 + 1) % m)]
                  let a63 = a62 with [(4 % two)] = v42
                  in a63)
              in ((transpose ((\a b -> map (\r ->
    map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a) (replicate three (map (\i -> 1.72 * f64.i64 i - 0.3) (iota 2))) (replicate 2 v64)))[(4 % two)])) (map (scan (+) 0) (if v42 < v42 then (replicate m d16) else (replicate m z)))) else (scan (map2 (\a b -> a + b - 0.2 * a * b)) (replicate three 0) (replicate m (some three))))) (hist (\(a, b) (c, d) -> (a + c, b + d + a * c)) (0, 0) m (map (\i -> (5 * i + 1) % (m + 1)) (iota 2))
  (zip (jvp (\d69 -> (reverse (((map (\i -> d69[(0 % n)] + 0.2 * f64.i64 i) (iota 2)))[::-1]))) (scatter (copy (rotate 0 x)) (map (\i -> n - 1 - i) (iota 2)) (map (\i -> 1.62 * f64.i64 i - 0.3) (iota 2))) (some n)) (map (\e70 -> (vjp (\d82 ->
          let v83 = e70[(2 % 3)]
          let v84 = (#two d82 x : sum [n])
          in (f64.max x[(0 % n)] v13[(4 % two), (2 % 3)])) 0.20 z[(2 % m)])) (jvp (\d74 ->
      let v77 = (map (\e75 -> d74[(2 % m)]) (iota m))
      let v78 = (reduce (map2 (*)) (replicate 2 1) (replicate m (replicate 2 v77[(3 % m)])))
      in (scan (map2 (\a b -> a + b - 0.2 * a * b)) (replicate 3 0) (replicate 2 (map (\i -> v77[(0 % m)] + 0.2 * f64.i64 i) (iota 3))))) (if z[(2 % m)] < x[(4 % n)] then
      let v81 = 1.81
      in z else z) z))) |> map (.1)
  |> map (\q -> f64.max (-3) (f64.min q 3))) z)
  let v93 = (hist (\(a, s) (b, t) -> let c = f64.max a b
      in (c, s * f64.exp (a - c) + t * f64.exp (b - c))) (-100, 0) 2 (map (\i -> (5 * i + 1) % (2 + 1)) (iota 2))
  (zip (map (\e86 -> e86) (vjp (\d88 -> (reduce_by_index (copy z) (+) 0
  (map (\i -> (5 * i + 0) % (m + 1)) (iota n)) x)) (reverse (map (\e89 ->
      let v91 = x[(0 % n)]
      let v92 = v91
      in 1.96) (replicate 2 z))) z)) (replicate 2 z[(2 % m)])) |> map (.1)
  |> map (\q -> f64.max (-3) (f64.min q 3)))
  in map (\j ->
    0 +
    f64.sum x +
    f64.sum z +
    f64.sum (flatten v13) +
    f64.sum (map (\r -> r[j % three]) v85) +
    v93[j % 2]) (iota n)
entry p0 [n][m] (x: [n]f64) (z: [m]f64) = first f0 x z
