-- Lowering: many small forms, part 7.

-- ==
-- entry: a1
-- input { [[1,2],[3,4]] } output { [[1,3],[3,7]] [3,7] [[2,1],[4,3]] }
entry a1 (xss: [][]i32) = (map (scan (+) 0) xss, map (reduce (+) 0) xss, map reverse xss)
-- ==
-- entry: a2
-- input { [1,2,3,4] } output { [1,7,8,4] [1,5,6,4] }
entry a2 (xs: []i32) = let ps = zip (copy xs) (copy xs) let ps[1:3] = zip [7,8] [5,6] in unzip ps
-- ==
-- entry: a3
-- input { [1,2] [3,4] } output { 11 }
entry a3 [n] (xs: [n]i32) (ys: [n]i32) = loop acc = 0 for (x, y) in zip xs ys do acc + x * y
def ex (f: i64 -> ?[k].[k]i64) (n: i64) = length (f n) + i64.sum (f (n+1))
-- ==
-- entry: a4
-- input { 3i64 } output { 8i64 }
entry a4 (n: i64) = ex (\m -> filter (>0) (iota m)) n
-- ==
-- entry: a5
-- input { 5 } output { 12 12 36 7 }
entry a5 (x: i32) = (((+1) >-> (*2)) x, ((*2) <-< (+1)) x, x + 1 |> (*2) |> (\y -> y * 3), (flip (-) 3) 10)
-- ==
-- entry: a6
-- input { 97u8 } output { 1 }
-- input { 98u8 } output { 2 }
entry a6 (c: u8) : i32 = match c case 'a' -> 1 case _ -> 2
-- ==
-- entry: a7
-- input { -1 true } output { 1 }
-- input { -1 false } output { 2 }
-- input { 3 false } output { 3 }
entry a7 (x: i32) (b: bool) = match (x, b) case (-1, true) -> 1 case (-1, false) -> 2 case (_, _) -> 3i32
type tree = #leaf i32 | #node (i32, i32) | #both {l: i32, r: (#x | #y i32)}
def tsum (t: tree) : i32 = match t
  case #leaf x -> x
  case #node (a, b) -> a + b
  case #both {l, r = #x} -> l
  case #both {l, r = #y 0} -> l * 100
  case #both {l, r = #y k} -> l + k
-- ==
-- entry: a8
-- input { } output { [1,5,7,500,11] }
entry a8 = map tsum [#leaf 1, #node (2,3), #both {l = 7, r = #x}, #both {l = 5, r = #y 0}, #both {l = 5, r = #y 6}]
-- ==
-- entry: a9
-- input { 200u8 } output { 100u8 228u8 100u8 }
entry a9 (x: u8) = (x >> 1, x u8.>> 1, x u8.>>> 1)
-- ==
-- entry: b1
-- input { 3i8 } output { [0i8,1i8,2i8] [3i8,2i8,1i8,0i8] [3i8,2i8,1i8] }
entry b1 (x: i8) = (0..<x, x..x-1...0, x..>0)
-- ==
-- entry: b2
-- input { 2i8 -3i8 } error: Range 2...-3 is invalid
entry b2 (x: i8) (y: i8) = x...y
-- ==
-- entry: b3
-- input { } output { [254u8,255u8] }
entry b3 : []u8 = 254...255
-- ==
-- entry: b4
-- input { 3 } output { [0,1,2] 3 }
entry b4 (n: i32) = let r = 0..<n in (r, i32.i64 (length r))
-- ==
-- entry: b5
-- input { [1.0,2.0,3.0] } output { 14.0 [2.0,4.0,6.0] }
entry b5 [n] (xs: [n]f64) = vjp2 (\ys -> f64.sum (map2 (*) ys ys)) xs 1
-- ==
-- entry: b6
-- input { 3.0 } output { 6.0 2.0 }
entry b6 (x: f64) = (vjp (\x -> x * x) x 1, jvp (\x -> vjp (\x -> x * x) x 1) x 1)
def poly (c: f64) (x: f64) = let sq y = y * y in c * sq x + f64.sin x
-- ==
-- entry: b7
-- input { 2.0 [0.0,1.0] } output { [1.0,4.5403023058681398] }
entry b7 (c: f64) (xs: []f64) = map (\x -> vjp (poly c) x 1) xs
-- ==
-- entry: b8
-- input { [3,1,2] } output { [1,2,3] }
entry b8 [n] (xs: [n]i32) = (loop (xs, swapped) = (copy xs, true) while swapped do
   loop (xs, s) = (xs, false) for i < n - 1 do
     if xs[i] > xs[i+1] then let (a, b) = (xs[i], xs[i+1]) let xs[i] = b let xs[i+1] = a in (xs, true) else (xs, s)).0
-- ==
-- entry: b9
-- input { 2i64 } output { [[[0i64,1i64],[1i64,2i64]],[[1i64,2i64],[2i64,3i64]]] 12i64 }
entry b9 (n: i64) = let a = tabulate_3d n n n (\i j k -> i + j + k) in (a, i64.sum (flatten_3d a))
-- ==
-- entry: c1
-- input { [1,2,3,4,5,6] } output { [[1,2,3],[4,5,6]] [[1,2],[3,4],[5,6]] }
entry c1 (xs: [6]i32) = (unflatten (xs :> [2*3]i32), unflatten (xs :> [3*2]i32))
-- ==
-- entry: c2
-- input { [1,2,3] [4,5] } output { [1,2,3] [4,5] }
entry c2 [n][m] (xs: [n]i32) (ys: [m]i32) = let (a, b) = split (xs ++ ys) : ([n]i32, [m]i32) in (a, b)
-- ==
-- entry: c3
-- input { true 3i64 } output { [0i64,1i64,2i64] [true,true,true] }
-- input { false 3i64 } output { [0i64,1i64] [false,false] }
entry c3 (b: bool) (n: i64) = let (xs, ys) = if b then (iota n, replicate n true) else (iota (n-1), replicate (n-1) false) in unzip (zip (xs :> [length xs]i64) (ys :> [length xs]bool))
-- ==
-- entry: c4
-- input { [[1,2],[3,4]] } output { [[9,2],[3,9]] }
entry c4 [n] (a: *[n][n]i32) = loop a for i < n do a with [i,i] = 9
-- ==
-- entry: c5
-- input { 10 } output { 3 10 }
entry c5 (x: i32) = let r = {a = {b = {c = x}}} let r = r with a.b.c = 3 in (r.a.b.c, x)
-- ==
-- entry: c6
-- input { [5,6] } output { [[0,0],[5,6]] }
entry c6 (xs: [2]i32) = scatter (replicate 2 (replicate 2 0)) [1, 7] [xs, xs]
-- ==
-- entry: c7
-- input { [1,2,3] } output { true false true }
entry c7 (xs: []i32) = (all (>0) xs, any (>5) xs, null (filter (>5) xs))
-- ==
-- entry: c8
-- input { 7 } output { 1 0 }
entry c8 (x: i32) = (i32.bool (bool.i32 x), i32.bool (!(bool.i32 x)))
def kmeans_step [n] [d] [k] (pts: [n][d]f64) (cs: [k][d]f64) : [k][d]f64 =
  let dist (a: [d]f64) (b: [d]f64) = f64.sum (map2 (\x y -> (x-y)**2) a b)
  let nearest p = (reduce (\(i,a) (j,b) -> if a <= b then (i,a) else (j,b)) (0, f64.inf) (zip (iota k) (map (dist p) cs))).0
  let assign = map nearest pts
  let sums = reduce_by_index (replicate k (replicate d 0)) (map2 (+)) (replicate d 0) assign pts
  let cnts = reduce_by_index (replicate k 0i64) (+) 0 assign (replicate n 1)
  in map2 (\s c -> map (/ f64.i64 (i64.max 1 c)) s) sums cnts
-- ==
-- entry: km
-- input { [[0.0,0.0],[1.0,0.0],[10.0,10.0]] [[0.0,0.0],[9.0,9.0]] } output { [[0.5,0.0],[10.0,10.0]] }
entry km [n][d][k] (p: [n][d]f64) (c: [k][d]f64) = kmeans_step p c
