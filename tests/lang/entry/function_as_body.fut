-- The parameters of an entry point are those of its type: a body may give a function.
-- ==
-- entry: inc
-- input { [1,2,3] } output { [2,3,4] }

-- ==
-- entry: two
-- input { [1,2,3] [4i64,5i64,6i64] } output { [5i64,7i64,9i64] }
-- input { [1,2] [4i64] } error: entry point arguments have invalid sizes

-- ==
-- entry: dep
-- input { 2i64 [1,2] } output { 3 }
-- input { 2i64 [1,2,3] } error: entry point arguments have invalid sizes

-- ==
-- entry: part
-- input { 2 5 } output { 7 }

-- ==
-- entry: fil
-- input { [1,-2,3] } output { [1,3] }

-- ==
-- entry: comp
-- input { [1,-2,3] } output { [2i64, 1i64] 4 }

-- ==
-- entry: upd
-- input { [1,2] 4 } output { [4,2] }

-- ==
-- entry: tup
-- input { 3 true } output { 3 true 3 }

-- ==
-- entry: sized
-- input { [1,2,3] 7 } output { [7,7,7] }

entry inc = map (+1i32)
entry two : []i32 -> []i64 -> []i64 = \xs ys -> map2 (\x y -> i64.i32 x + y) xs ys
entry dep : (n: i64) -> [n]i32 -> i32 = \n (xs: [n]i32) -> i32.sum xs
entry part (x: i32) = (+x)
entry fil = filter (>0i32)
entry comp : []i32 -> ([]i64, i32) = \xs -> let (p, q) = partition (>0) xs in ([length p, length q], i32.sum p)
entry upd : *[]i32 -> i32 -> *[]i32 = \(xs: *[]i32) i -> xs with [0] = i
entry tup (x: i32) = \(b: bool) -> ((x, b), x)
entry sized [n] (xs: [n]i32) = \(y: i32) -> map (const y) xs
