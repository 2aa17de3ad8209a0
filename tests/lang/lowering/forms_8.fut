-- Lowering: many small forms, part 8.

-- ==
-- entry: a1
-- input { 2i64 [1,2] } output { [[0i64,1i64,2i64],[0i64,1i64,2i64]] }
entry a1 (m: i64) (xs: []i32) = let g (n: i64) = n + 1 in map (\_ -> iota (g m)) xs
-- ==
-- entry: a2
-- input { 2i64 [1,2] } output { [[0i64,1i64],[0i64,1i64]] [[0i64,1i64],[0i64,1i64]] }
entry a2 (m: i64) (xs: []i32) = let r = {n = m, k = (m, true)} in (map (\_ -> iota r.n) xs, map (\_ -> iota r.k.0) xs)
-- ==
-- entry: a3
-- input { 2i64 [1,2] } output { [[0i64,1i64],[0i64,1i64]] [[0i64],[0i64]] }
entry a3 (m: i64) (xs: []i32) = (map (\_ -> iota (length xs)) xs, map (\_ -> iota (i64.max 1 (i64.i32 xs[0]))) xs)
-- ==
-- entry: a4
-- input { 2i64 } output { [[1i64,1i64,1i64,1i64],[1i64,1i64,1i64,1i64]] }
entry a4 (m: i64) = let n = m * 2 let ys = replicate n 1i64 in map (\_ -> map (\y -> y) ys) (iota m)
def mk (n: i64) (m: i64) : [n][m+1]i64 = replicate n (iota (m+1))
-- ==
-- entry: a5
-- input { 2i64 } output { [[[0i64,1i64],[0i64,1i64]]] 3i64 }
entry a5 (m: i64) = (map (\_ -> mk m (m-1)) (iota (m-1)), (mk 1 2)[0] |> length)
-- ==
-- entry: a6
-- input { [1,-1,2] } output { [[1,2],[1,2]] }
entry a6 (xs: []i32) = let ys = filter (>0) xs in map (\_ -> ys) ys
-- ==
-- entry: a7
-- input { [1,-1,2] } output { [[1,1],[2,2]] }
entry a7 (xs: []i32) = filter (>0) xs |> \ys -> map (\y -> map (\_ -> y) ys) ys
-- ==
-- entry: a8
-- input { [[1,2],[3,4]] } output { [[2,1],[4,3]] [[2,3],[4,5]] }
entry a8 [n][m] (xss: [n][m]i32) = let f = map (+1) in (map (\xs -> map (\i -> xs[m-1-i]) (iota m)) xss, map f xss)
def grid 'a [h][w] (f: [h][w]a -> (i64, i64) -> a) (k: i32) (g: [h][w]a) = loop g for _i < k do tabulate_2d h w (\i j -> f g (i, j))
-- ==
-- entry: a9
-- input { [[1,0],[0,0]] } output { [[0,0],[0,1]] }
entry a9 (g: [][]i32) = grid (\g (i, j) -> g[(i+1) % 2, (j+1) % 2]) 1i32 g
def pairwise [n] (xs: [n]i64) = let m = n - 1 in map2 (-) (tail xs) (init xs) :> [m]i64
-- ==
-- entry: b1
-- input { [1i64,4i64,9i64] } output { [3i64,5i64] 2i64 }
entry b1 (xs: []i64) = let d = pairwise xs in (d, length d)
-- ==
-- entry: b2
-- input { 3i64 } output { [[0i64,0i64,0i64],[0i64,1i64,0i64],[0i64,0i64,2i64]] }
entry b2 (n: i64) = let diag [k] (v: [k]i64) = tabulate_2d k k (\i j -> if i == j then v[i] else 0) in diag (iota n)
-- ==
-- entry: b3
-- input { 3i64 } output { 6i64 [0i64,1i64,2i64,0i64,1i64,2i64] }
entry b3 (n: i64) = let xs = iota n ++ iota n in (length xs, xs)
type^ stream 'a = {next: i64 -> a, size: i64}
def smap 'a 'b (f: a -> b) (s: stream a) : stream b = {next = \i -> f (s.next i), size = s.size}
def run 'a (s: stream a) : []a = tabulate s.size s.next
-- ==
-- entry: b4
-- input { 3i64 } output { [1i64,3i64,5i64] }
entry b4 (n: i64) = run (smap (+1) (smap (*2) {next = id, size = n}))
