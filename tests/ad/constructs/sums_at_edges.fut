-- Gradients that add at quotients and remainders of row numbers: empty rows, divisors that are zero,
-- negative or no factor of the count, checks of dimensions without rows, sizes whose product wraps around.
def fl [n] (k: i64) (m: i64) (w: [n]f64) (x: []f64) : f64 =
  f64.sum (tabulate k (\p -> w[p / m] * x[p % m] + f64.sin x[p % m]))

-- ==
-- entry: quo
-- input { 6i64 3i64 [1f64,2f64] [3f64,4f64,5f64] } output { [12.0f64, 12.0f64] [1.0200150067991092f64, 1.6927127582727763f64, 3.5673243709264524f64] }
-- input { 5i64 3i64 [1f64,2f64] [3f64,4f64,5f64] } output { [12.0f64, 7.0f64] [1.0200150067991092f64, 1.6927127582727763f64, 1.2836621854632262f64] }
-- input { 2i64 3i64 [1f64,2f64] [3f64,4f64,5f64] } output { [7.0f64, 0.0f64] [1.0007503399554585e-2f64, 0.34635637913638806f64, 0.0f64] }
-- input { 0i64 0i64 [1f64,2f64] [3f64,4f64,5f64] } output { [0.0f64, 0.0f64] [0.0f64, 0.0f64, 0.0f64] }
-- input { 3i64 0i64 [1f64,2f64] [3f64,4f64,5f64] } error: .
-- input { 0i64 -3i64 [1f64,2f64] [3f64,4f64,5f64] } output { [0.0f64, 0.0f64] [0.0f64, 0.0f64, 0.0f64] }
-- input { 7i64 3i64 [1f64,2f64] [3f64,4f64,5f64] } error: .
-- input { 1i64 -1i64 [1f64,2f64] [3f64,4f64,5f64] } output { [3.0f64, 0.0f64] [1.0007503399554585e-2f64, 0.0f64, 0.0f64] }
-- input { 3i64 9223372036854775807i64 [1f64,2f64] [3f64,4f64,5f64] } output { [12.0f64, 0.0f64] [1.0007503399554585e-2f64, 0.34635637913638806f64, 1.2836621854632262f64] }
entry quo [n][l] (k: i64) (m: i64) (w: [n]f64) (x: [l]f64) : ([n]f64, [l]f64) = vjp (\(w, x) -> fl k m w x) (w, x) 1

-- ==
-- entry: prod
-- input { [[1f64,2f64,3f64],[4f64,5f64,6f64]] [1f64,2f64] [3f64,4f64,5f64] } output { [[3.0f64, 4.0f64, 5.0f64],  [6.0f64, 8.0f64, 10.0f64]] [26.0f64, 62.0f64] [9.0f64, 12.0f64, 15.0f64] }
-- input { empty([0][3]f64) empty([0]f64) [3f64,4f64,5f64] } output { empty([0][3]f64) empty([0]f64) [0.0f64, 0.0f64, 0.0f64] }
-- input { empty([2][0]f64) [1f64,2f64] empty([0]f64) } output { empty([2][0]f64) [0.0f64, 0.0f64] empty([0]f64) }
-- input { [[7f64]] [1f64] [3f64] } output { [[3.0f64]] [21.0f64] [7.0f64] }
entry prod [n][m] (a: [n][m]f64) (w: [n]f64) (x: [m]f64) : ([n][m]f64, [n]f64, [m]f64) =
  vjp (\(a, w, x) -> let v = flatten a in f64.sum (tabulate (n * m) (\p -> w[p / m] * x[p % m] * v[p]))) (a, w, x) 1
-- four dimensions in one; indices that leave the picture

-- ==
-- entry: conv
-- input { [[[1f64,2f64,3f64],[4f64,5f64,6f64]]] [[[1f64,2f64],[3f64,4f64]]] } output { [[[23.0f64, 33.0f64, 24.0f64],   [31.0f64, 38.0f64, 24.0f64]]] [[[17.0f64, 32.0f64],   [58.0f64, 91.0f64]]] }
-- input { [[[1f64]],[[2f64]]] [[[1f64,2f64,3f64],[3f64,4f64,5f64],[6f64,7f64,8f64]],[[1f64,2f64,3f64],[3f64,4f64,5f64],[6f64,7f64,8f64]]] } output { [[[4.0f64]],  [[4.0f64]]] [[[0.0f64, 0.0f64, 0.0f64],   [0.0f64, 1.0f64, 0.0f64],   [0.0f64, 0.0f64, 0.0f64]],  [[0.0f64, 0.0f64, 0.0f64],   [0.0f64, 2.0f64, 0.0f64],   [0.0f64, 0.0f64, 0.0f64]]] }
-- input { empty([0][2][2]f64) empty([0][3][3]f64) } output { empty([0][2][2]f64) empty([0][3][3]f64) }
-- input { [[[1f64,2f64,3f64],[4f64,5f64,6f64]]] empty([1][0][0]f64) } output { [[[0.0f64, 0.0f64, 0.0f64],   [0.0f64, 0.0f64, 0.0f64]]] empty([1][0][0]f64) }
-- input { empty([1][0][3]f64) [[[1f64,2f64],[3f64,4f64]]] } output { empty([1][0][3]f64) [[[0.0f64, 0.0f64],   [0.0f64, 0.0f64]]] }
entry conv [c][h][w][k] (a: [c][h][w]f64) (f: [c][k][k]f64) : ([c][h][w]f64, [c][k][k]f64) =
  vjp (\(a, f) -> let v = flatten_3d a in
    f64.sum (tabulate (h * w) (\p -> let y = p / w let x = p % w in
      f64.sum (tabulate (c * (k * k)) (\q -> let e = q / (k * k) let r = q % (k * k) let dy = r / k let dx = r % k
        let yy = y + dy - 1 let xx = x + dx - 1
        in if yy < 0 || yy >= h || xx < 0 || xx >= w then 0 else v[e * h * w + yy * w + xx] * f[e, dy, dx] * f64.i64 (p + 1)))))) (a, f) 1
-- a guard: the check belongs to a dimension without rows

-- ==
-- entry: guard
-- input { 2i64 [1f64,2f64] [3f64,4f64] } output { [7.0f64, 7.0f64] [3.0f64, 3.0f64] }
-- input { 3i64 [1f64,2f64] [3f64,4f64] } error: .
-- input { 3i64 [1f64,2f64] empty([0]f64) } output { [0.0f64, 0.0f64] empty([0]f64) }
-- input { 0i64 empty([0]f64) [3f64,4f64] } output { empty([0]f64) [0.0f64, 0.0f64] }
-- input { -1i64 [1f64,2f64] empty([0]f64) } output { [0.0f64, 0.0f64] empty([0]f64) }
-- input { -1i64 [1f64,2f64] [1f64] } error: .
entry guard [n][k] (m: i64) (a: [k]f64) (x: [n]f64) : ([k]f64, [n]f64) =
  vjp (\(a, x) -> f64.sum (map (\v -> f64.sum (tabulate m (\j -> a[j] * v))) x)) (a, x) 1

-- ==
-- entry: guard2
-- input { [0i64,1i64] [1i64,0i64] [1f64,2f64] [3f64,4f64] } output { [20.0f64, 23.0f64] [3.0f64, 6.0f64] }
-- input { [5i64] empty([0]i64) empty([0]f64) [3f64] } output { empty([0]f64) [0.0f64] }
-- input { [5i64] [0i64] [1f64] [3f64] } error: .
-- input { empty([0]i64) [7i64] [1f64] empty([0]f64) } output { [0.0f64] empty([0]f64) }
entry guard2 [n][l] (is: [n]i64) (b: [l]i64) (a: [l]f64) (x: [n]f64) : ([l]f64, [n]f64) =
  vjp (\(a, x) -> f64.sum (map2 (\i v -> f64.sum (map (\j -> a[i] * a[j] * v) b)) is x)) (a, x) 1
-- heads of attention: c / (e / heads)

-- ==
-- entry: heads
-- input { 2i64 [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] } output { [[15.0f64, 18.0f64, 49.0f64, 56.0f64],  [3.0f64, 6.0f64, 21.0f64, 28.0f64]] [[15.0f64, 18.0f64, 49.0f64, 56.0f64],  [3.0f64, 6.0f64, 21.0f64, 28.0f64]] }
-- input { 3i64 [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] } output { [[5.0f64, 12.0f64, 21.0f64, 32.0f64],  [1.0f64, 4.0f64, 9.0f64, 16.0f64]] [[5.0f64, 12.0f64, 21.0f64, 32.0f64],  [1.0f64, 4.0f64, 9.0f64, 16.0f64]] }
-- input { 4i64 [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] } output { [[5.0f64, 12.0f64, 21.0f64, 32.0f64],  [1.0f64, 4.0f64, 9.0f64, 16.0f64]] [[5.0f64, 12.0f64, 21.0f64, 32.0f64],  [1.0f64, 4.0f64, 9.0f64, 16.0f64]] }
-- input { 5i64 [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] } error: .
-- input { 0i64 [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] [[1f64,2f64,3f64,4f64],[5f64,6f64,7f64,8f64]] } error: .
-- input { 1i64 empty([0][4]f64) empty([0][4]f64) } output { empty([0][4]f64) empty([0][4]f64) }
-- input { 0i64 empty([2][0]f64) empty([2][0]f64) } output { empty([2][0]f64) empty([2][0]f64) }
entry heads [t][e] (h: i64) (q: [t][e]f64) (k: [t][e]f64) : ([t][e]f64, [t][e]f64) =
  vjp (\(q, k) -> f64.sum (flatten (tabulate t (\i -> tabulate e (\c ->
      let d = e / h let b = c / d
      in f64.sum (tabulate d (\j -> q[i, b * d + j] * k[(i + 1) % t, c - c % d + j])) * f64.i64 (c + 1)))))) (q, k) 1
-- sizes whose product wraps to 0

-- ==
-- entry: wrap
-- input { empty([4294967296][0]f64) empty([4294967296][0]f64) [1f64,2f64,3f64] } output { [0.0f64, 0.0f64, 0.0f64] }
-- input { empty([2][0]f64) empty([3][0]f64) [1f64,2f64,3f64] } output { [9.0f64, 9.0f64, 3.0f64] }
-- input { empty([0][0]f64) empty([3][0]f64) [1f64,2f64,3f64] } output { [0.0f64, 0.0f64, 0.0f64] }
entry wrap [n][m] (a: [n][0]f64) (b: [m][0]f64) (x: [3]f64) : [3]f64 =
  let k = length a * length b
  in vjp (\x -> f64.sum (tabulate k (\p -> x[p / m % 3] * x[p % m % 3]))) x 1
-- conflicting indices, -1 and past the end are dropped by histograms, kept by derivatives

-- ==
-- entry: histo
-- input { [0i64,0i64,1i64,-1i64,2i64,5i64] [1f64,2f64,3f64,4f64,5f64,6f64] [0.5f64,0.25f64,0.125f64] } output { [1.41733954858252f64, 2.83467909716504f64, -11.817182081607884f64, 0.0f64, 29.999101105157948f64, 0.0f64] [0.70866977429126f64, -1.9695303469346472f64, 2.9999101105157946f64] }
-- input { empty([0]i64) empty([0]f64) [0.5f64] } output { empty([0]f64) [0.8775825618903728f64] }
-- input { [0i64] [1f64] empty([0]f64) } error: .
entry histo [n][k] (is: [n]i64) (x: [n]f64) (d: [k]f64) : ([n]f64, [k]f64) =
  vjp (\(x, d) -> f64.sum (map2 (*) (map f64.i64 (1..2...k)) (map f64.sin (reduce_by_index (copy d) (+) 0 is (map (\v -> v * v) x))))) (x, d) 1

-- ==
-- entry: scat
-- input { [2i64,0i64,-1i64,7i64] [1f64,2f64,3f64,4f64] [0.5f64,0.25f64,0.125f64] } output { [2.161209223472559f64, 0.0f64, 0.0f64, 0.0f64] [0.0f64, 1.7551651237807455f64, 0.0f64] [-2.6145744834544478f64, 1.7551651237807455f64, 1.0806046117362795f64] }
-- input { [2i64,0i64] [1f64,2f64] [0.5f64,0.25f64,0.125f64] } output { [2.161209223472559f64, 0.0f64] [0.0f64, 1.7551651237807455f64, 0.0f64] [-2.6145744834544478f64, 1.7551651237807455f64, 1.0806046117362795f64] }
-- input { empty([0]i64) empty([0]f64) empty([0]f64) } output { empty([0]f64) empty([0]f64) empty([0]f64) }
entry scat [n][k] (is: [n]i64) (x: [n]f64) (d: [k]f64) : ([n]f64, [k]f64, [k]f64) =
  let f (x, d) = map f64.sin (scatter (map (* 2) d) is (map (\v -> v * v) x))
  let (a, b) = vjp f (x, d) (map f64.i64 (iota k))
  in (a, b, jvp f (x, d) (map (const 1) x, map (const 1) d))
-- two orders

-- ==
-- entry: hess
-- input { [[1f64,2f64,3f64],[4f64,5f64,6f64]] [[1f64,1f64,0f64],[2f64,0f64,1f64]] } output { [[26.0f64, 16.0f64, 22.0f64],  [20.0f64, 8.0f64, 6.0f64]] [[26.0f64, 16.0f64, 22.0f64],  [20.0f64, 8.0f64, 6.0f64]] }
-- input { [[1f64]] [[2f64]] } output { [[12.0f64]] [[12.0f64]] }
-- input { empty([0][2]f64) empty([0][2]f64) } output { empty([0][2]f64) empty([0][2]f64) }
-- input { empty([2][0]f64) empty([2][0]f64) } output { empty([2][0]f64) empty([2][0]f64) }
entry hess [n][m] (a: [n][m]f64) (v: [n][m]f64) : ([n][m]f64, [n][m]f64) =
  let f (a: [n][m]f64) = let v = flatten a in f64.sum (tabulate (n * m) (\p -> v[p / m * m] * v[p] * v[p % m]))
  in (jvp (\a -> vjp f a 1) a v, vjp (\a -> jvp f a v) a 1)

-- ==
-- entry: hess2
-- input { [[1f64,2f64,3f64],[4f64,5f64,6f64]] [[1f64,1f64,0f64],[2f64,0f64,1f64]] } output { [[26.0f64, 16.0f64, 22.0f64],  [20.0f64, 8.0f64, 6.0f64]] }
-- input { empty([2][0]f64) empty([2][0]f64) } output { empty([2][0]f64) }
entry hess2 [n][m] (a: [n][m]f64) (v: [n][m]f64) : [n][m]f64 =
  let f (a: [n][m]f64) = let v = flatten a in f64.sum (tabulate (n * m) (\p -> v[p / m * m] * v[p] * v[p % m]))
  in vjp (\a -> f64.sum (map f64.sum (map2 (map2 (*)) (vjp f a 1) v))) a 1
