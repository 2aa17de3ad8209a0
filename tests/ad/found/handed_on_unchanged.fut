-- The adjoint that a loop hands on unchanged is read after the loop, in second derivatives.
-- ==
-- entry: q0
-- input { [0.3, 0.5, 0.2] [0.7, -0.4] }
-- output { [0.0, 0.0, 0.0] [1.3375725953194386, 0.0] }
type rec [k] = {p: f64, q: [k]f64}
type sum [k] = #one f64 | #two f64 ([k]f64)

def some (k: i64) : [k]f64 = map (\i -> f64.sin (1.7 * f64.i64 i + 0.3) + 0.1) (iota k)
def dot [k] (a: [k]f64) (b: [k]f64) : f64 = f64.sum (map2 (*) a b)
def first [n][m] (f: ([n]f64, [m]f64) -> [n]f64) (x: [n]f64) (z: [m]f64) =
  let (y, (gx, gz)) = vjp2 f (x, z) (some n)
  let (y', t) = jvp2 f (x, z) (some n, some m)
  let twice [k] (v: [k]f64) = map (2 *) v
  let ts = jmp f (x, z) [(some n, some m), (twice (some n), twice (some m))]
  let moved [k] h (x: [k]f64) = map2 (\d x -> x + h * d) (some k) x
  let at h = f (moved h x, moved h z) |> dot (some n)
  let h = 1e-4
  in (y, y', gx, gz, t, [at h, at (-h), at (2 * h), at (-2 * h)], ts)
def second [n][m] (f: ([n]f64, [m]f64) -> [n]f64) (x: [n]f64) (z: [m]f64) =
  let d = (some n, some m)
  let (ax, az) = jvp (\p -> vjp f p (some n)) (x, z) d
  let (bx, bz) = vjp (\p -> vjp f p (some n)) (x, z) d
  let (cx, cz) = vjp (\p -> jvp f p d) (x, z) (some n)
  in (bx, bz)

def h0_0 [k] (ha: f64) (hv: [k]f64) : f64 =
  let v0 = (#one ha : sum [k])
  let v1 = ha
  in hv[(3 % k)]

def h0_1 [k] (ha: f64) (hv: [k]f64) : f64 = ((reduce (\(a, s) (b, t) -> let c = f64.max a b
      in (c, s * f64.exp (a - c) + t * f64.exp (b - c))) (-100, 0) (zip (loop (a4 : *[k]f64) = copy hv for j5 < k do
      let a6 = if a4[(2 % k)] < a4[((j5 + 3) % k)] then a4 with [(3 % k)] = ha else a4
      let a7 = a6 with [(0 % k)] = ha
      in a7) hv)).1)

def f0 [n][m] (x: [n]f64, z: [m]f64) : [n]f64 =
  let two = (n + 5) / (n + 4) + 1
  let three = two + 1
  let (s28, v29) = loop (s8, v9 : [two]f64) = (0.5, (replicate two 0.5)) for j10 < ((n + 4) % 4 + 1) do
      let v17 = ((reduce (\a b -> tabulate_2d 2 2 (\i j ->
    a[i, 0] * b[0, j] + a[i, 1] * b[1, j])) [[1, 0], [0, 1]]
  (map (\q -> [[f64.cos q, 0.3], [f64.sin q, 0.5]]) z))[0, 1])
      in ((match (#one x[((j10 + 0) % n)] : sum [three])
 case #one a21 ->
          let v25 = (replicate two 0.5)
          in a21
 case #two b22 c23 -> v17), (reduce_by_index (copy v9) (+) 0
  (map (\i -> (5 * i + 0) % (two + 1)) (iota m)) ((\(a, b, c) -> map3 (\q r s -> q * f64.sin r + s) a b c)
  (unzip3 (map (\q -> (q, q * q / (1 + q * q), 0.3 * q)) z)))))
  let v64 = (scan (\a b -> map (\r -> [r[0] * b[0, 0] + r[1] * b[1, 0],
    r[0] * b[0, 1] + r[1] * b[1, 1]]) a) [[1, 0], [0, 1]]
  (map (\q -> [[f64.cos q, 0.3], [f64.sin q, 0.5]]) (copy z with [m / 2:] = ((map (\e34 ->
      let (s62, v63) = loop (s36, v37 : [three]f64) = (1.86, (loop (a41 : *[three]f64) = copy (map (\i -> z[(2 % m)] + 0.2 * f64.i64 i) (iota three)) for j42 < ((n + 4) % 6 + 1) do
          let a43 = a41 with [(2 % three)] = a41[((j42 + 2) % three)]
          let a44 = a43 with [((j42 + 2) % three)] = (0.1 * f64.i64 j42)
          in a44)) for j38 < ((n + 4) % 4 + 1) do
          let v58 = (jvp (\d47 ->
              let v56 = (map (\e50 ->
                  let v52 = e50
                  let v55 = (scan (map2 (\a b -> a + b - 0.2 * a * b)) (replicate m 0) (replicate n z))
                  in x) (replicate n x[(0 % n)]))
              in (replicate 2 v29)) s28 v37[(4 % three)])
          let v61 = (reduce_by_index (copy (replicate two z)) (map2 (\a b -> a + b - 0.2 * a * b)) (replicate m 0)
  (map (\i -> (5 * i + 1) % (two + 1)) (iota 3)) (replicate 3 (some m)))
          in (v58[((j38 + 1) % 2), ((j38 + 2) % two)], v37)
      in v63[(0 % three)]) z))[m / 2:])) |> map (\a -> a[1, 1]))
  in map (\j ->
    0 +
    x[j % n] +
    f64.sum z +
    s28 * f64.cos (f64.i64 j) +
    f64.sum v29 +
    f64.sum v64) (iota n)
entry p0 [n][m] (x: [n]f64) (z: [m]f64) = first f0 x z
entry q0 [n][m] (x: [n]f64) (z: [m]f64) = second f0 x z
