-- Products of matrices and of the like, large enough for tiles where a back end has them, with
-- sizes that no tile divides, against the same by loops.
-- ==
-- entry: product batch distances sliced centred shifted
-- input { 70i64 37i64 80i64 } output { true }
-- input { 300i64 16i64 257i64 } output { true }
-- input { 33i64 9i64 65i64 } output { true }
-- input { 1i64 0i64 3i64 } output { true }

def element (seed: i64) (i: i64) (j: i64) : i32 = i32.i64 ((i * 7919 + j * 104729 + seed * 31) % 17 - 8)

def same [n][m] (a: [n][m]i32) (b: [n][m]i32) = and (map2 (\x y -> and (map2 (==) x y)) a b)

def by_loops [n][m][k] (a: [n][k]i32) (b: [k][m]i32) : *[n][m]i32 =
  loop c = replicate n (replicate m 0) for i < n do
    loop c for j < m do
      loop c for l < k do c with [i, j] = c[i, j] + a[i, l] * b[l, j]

def by_maps [n][m][k] (a: [n][k]i32) (b: [k][m]i32) : [n][m]i32 =
  map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a

entry product (n: i64) (k: i64) (m: i64) =
  let a = tabulate_2d n k (element 1)
  let b = tabulate_2d k m (element 2)
  in same (by_maps a b) (by_loops a b) && same (by_maps (transpose b) (transpose a)) (transpose (by_loops a b))

-- Several products that share a factor, with something subtracted on the way.
entry batch (n: i64) (k: i64) (m: i64) =
  let a = tabulate_2d n k (element 3)
  let b = tabulate_3d 3 k m (\s -> element s)
  let c = tabulate_2d 3 k (element 4)
  let all = map (\row -> map2 (\mat shift -> map (\col -> i32.sum (map3 (\x y z -> (x - z) * y) row col shift))
                                                  (transpose mat)) b c) a
  in and (map (\s -> same all[:, s] (by_loops (map (\row -> map2 (-) row c[s]) a) b[s])) (iota 3))

-- Other operators than a sum of products, and a value from before the loop.
entry distances (n: i64) (k: i64) (m: i64) =
  let a = tabulate_2d n k (element 5)
  let b = tabulate_2d m k (element 6)
  let far = map (\x -> map (\y -> i32.maximum (map2 (\u v -> i32.abs (u - v)) x y)) b) a
  let ref = loop r = replicate n (replicate m i32.lowest) for i < n do
              loop r for j < m do
                loop r for l < k do
                  r with [i, j] = i32.max r[i, j] (i32.abs (a[i, l] - b[j, l]))
  in same far ref

-- Factors that lie in memory with strides.
entry sliced (n: i64) (k: i64) (m: i64) =
  let a = (tabulate_2d (2 * n) (k + 3) (element 7))[::2, 3:] :> [n][k]i32
  let b = (tabulate_2d (k + 1) (3 * m) (element 8))[:k, ::3] :> [k][m]i32
  in same (by_maps a b) (by_loops (copy a) (copy b))

-- The difference of rows of two arrays as an array of its own, which a nest inside of it reads.
entry centred (n: i64) (k: i64) (m: i64) =
  let a = tabulate_2d n k (element 9)
  let b = tabulate_3d 3 m k (\s -> element s)
  let c = tabulate_2d 3 k (element 10)
  let all = map (\row -> map2 (\mat shift -> let v = map2 (-) row shift
                                            in map (\r -> i32.sum (map2 (*) r v)) mat) b c) a
  in and (map (\s -> same all[:, s] (by_loops (map (\row -> map2 (-) row c[s]) a) (transpose b[s]))) (iota 3))

-- A factor from which something is subtracted that does not change in the loop.
entry shifted (n: i64) (k: i64) (m: i64) =
  let a = tabulate_2d k n (element 11)
  let b = tabulate_2d k m (element 12)
  let c = map (element 13 5) (iota m)
  let all = map (\x -> map2 (\y shift -> i32.sum (map2 (\u v -> u * 2 * (v - shift)) x y)) (transpose b) c) (transpose a)
  in same all (by_loops (map (map (* 2)) (transpose a)) (map (\row -> map2 (-) row c) b))
