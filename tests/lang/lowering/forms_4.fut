-- Lowering: many small forms, part 4.

-- consumption, copies, updates
-- ==
-- entry: zipc
-- input { [1,2] [3,4] } output { [9,2] [8,4] [1,2] }
entry zipc [n] (xs: [n]i32) (ys: [n]i32) =
  let ps = zip xs ys
  let ps[0] = (9,8)
  let (a, b) = unzip ps
  in (a, b, xs)
-- ==
-- entry: nested
-- input { } output { [1,2] [[5,7],[6,6]] 3 }
entry nested : ([]i32, [][]i32, i32) =
  let r = {a = [1,2], b = [{c = [5,5], d = 1i32}, {c = [6,6], d = 2}], e = (1i32, 2i32)}
  let r.b[0].c[1] = 7
  let r = r with e.1 = 3
  in (r.a, map (.c) r.b, r.e.1)
-- ==
-- entry: slup
-- input { } output { [[0,0,0],[1,2,3],[0,0,0]] }
entry slup = let a = replicate 3 (replicate 3 0i32) in a with [1] = [1,2,3]
-- ==
-- entry: slup2
-- input { } output { [[0,1,0],[0,2,0],[0,3,0]] }
entry slup2 = let a = replicate 3 (replicate 3 0i32) in a with [:,1] = [1,2,3]
-- ==
-- entry: lp
-- input { 4i64 } output { [0i64,1i64,3i64,6i64] }
entry lp (n: i64) = loop a = replicate n 0 for i < n-1 do a with [i+1] = a[i] + i + 1
-- ==
-- entry: ifup
-- input { true } output { [1,0] }
-- input { false } output { [0,0] }
entry ifup (b: bool) = let a = [0i32,0] in if b then a with [0] = 1 else a
def f (a: *[]i32) : *[]i32 = a with [0] = 42
-- ==
-- entry: callu
-- input { [1,2,3] } output { [42,2,3] }
entry callu (a: *[]i32) = f a
-- ==
-- entry: nestloop
-- input { 3i64 } output { [[0i64,0i64,0i64],[0i64,1i64,2i64],[0i64,2i64,4i64]] }
entry nestloop (n: i64) =
  loop a = replicate n (replicate n 0) for i < n do
    loop a for j < n do a with [i,j] = i*j
-- ==
-- entry: mapup
-- input { 3i64 } output { [[0i64,9i64],[1i64,9i64],[2i64,9i64]] }
entry mapup (n: i64) = map (\i -> let a = [i,i] let a[1] = 9 in a) (iota n)
-- ==
-- entry: maprow
-- input { [[1,2],[3,4]] } output { [[0,2],[0,4]] }
entry maprow (xss: [][]i32) = map (\xs -> copy xs with [0] = 0) xss
-- ==
-- entry: scat
-- input { [1,2,3] } output { [1,2,3] [7,2,3] }
entry scat (xs: []i32) = let ys = scatter (copy xs) [0] [7] in (xs, ys)
-- ==
-- entry: whl
-- input { 10 } output { 4 [4,0] }
entry whl (k: i32) = loop (n, a) = (0i32, [0i32,0]) while n * n < k do (n + 1, a with [0] = n + 1)
-- ==
-- entry: forin
-- input { [[1,2],[3,4]] } output { [4,6] }
entry forin [n] (xss: [][n]i32) = loop acc = replicate n 0 for xs in xss do map2 (+) acc xs
-- ==
-- entry: twoarr
-- input { } output { [1,0] [0,2] }
entry twoarr = loop (a,b) = ([0i32,0],[0i32,0]) for _i < 2i32 do (a with [0] = 1, b with [1] = 2)
def g 't (x: t) : t = x
-- ==
-- entry: polyc
-- input { } output { [1,2] 3 }
entry polyc : ([]i32, i32) = (g [1,2], g 3)
-- ==
-- entry: hist2
-- input { } output { [[1,0],[0,5]] }
entry hist2 = reduce_by_index_2d (replicate 2 (replicate 2 0i32)) (+) 0 [(0,0),(1,1),(1,1),(2,0)] [1,2,3,9]
-- ==
-- entry: scat2
-- input { } output { [[1,0],[0,3]] }
entry scat2 = scatter_2d (replicate 2 (replicate 2 0i32)) [(0,0),(1,1),(2,0)] [1,3,9]
-- ==
-- entry: histt
-- input { } output { [3,0] [2.0,1.0] }
entry histt = unzip (reduce_by_index (replicate 2 (0i32,1f64)) (\(a,b) (c,d) -> (a+c,b*d)) (0,1) [0,0] [(1,1),(2,2)])
-- ==
-- entry: redarr
-- input { [[1,2],[3,4]] } output { [4,6] }
entry redarr [n] (xss: [][n]i32) = reduce (map2 (+)) (replicate n 0) xss
-- ==
-- entry: scanarr
-- input { [[1,2],[3,4]] } output { [[1,2],[4,6]] }
entry scanarr [n] (xss: [][n]i32) = scan (map2 (+)) (replicate n 0) xss
-- ==
-- entry: part2
-- input { [1,2,3,4,5,6] } output { [1,2] [5,6] [3,4] }
entry part2 (xs: []i32) = partition2 (<3) (>4) xs
-- ==
-- entry: ex
-- input { 3i64 [1,2,3,4] } output { 10 }
-- input { 2i64 [1,2,3,4] } error: entry point arguments have invalid sizes
entry ex (n: i64) (xs: [n+1]i32) = i32.sum xs
-- ==
-- entry: ex2
-- input { 4i64 [1,2,3,4] } output { 10 }
-- input { 2i64 [1,2,3,4] } error: entry point arguments have invalid sizes
entry ex2 (n: i64) (xs: [n]i32) = i32.sum xs
-- ==
-- entry: ex3
-- input { [1,2] [1] } error: entry point arguments have invalid sizes
entry ex3 [n] (xs: [n]i32) (ys: [n]i32) = i32.sum (map2 (+) xs ys)
-- ==
-- entry: iotaneg
-- input { -1i64 } error: Range 0\.\.1\.\.<-1 is invalid
entry iotaneg (n: i64) = iota n
-- ==
-- entry: multi
-- input { [[1,2],[3,4]] 1i64 2i64 } error: Index \[1, 2\] out of bounds for array of shape \[2\]\[2\]
entry multi (a: [][]i32) (i: i64) (j: i64) = a[i,j]
-- ==
-- entry: mixed
-- input { [[1,2],[3,4],[5,6]] } output { [3,5] [[5,6],[3,4]] }
entry mixed (a: [][]i32) = (a[1:,0], a[2:0:-1])
-- ==
-- entry: uns
-- input { 3u8 7u8 } output { [3u8,4u8,5u8,6u8] [7u8,5u8,3u8] [3u8,4u8,5u8,6u8,7u8] }
entry uns (a: u8) (b: u8) = (a..<b, b..5...a, a...b)
