-- Arrays that loops carry: in place, swapped, alternating, growing, shrinking.
-- ==
-- entry: halve
-- input { [8.0,4.0] 3i32 }
-- output { [1.0,0.5] }
-- input { [8.0,4.0] 0i32 }
-- output { [8.0,4.0] }

-- ==
-- entry: swap
-- input { [1i32,2i32] [3i32,4i32] 3i32 }
-- output { [3i32,4i32] [1i32,2i32] }

-- ==
-- entry: fibonacci
-- input { [0i32,1i32] [1i32,1i32] 5i32 }
-- output { [5i32,8i32] [8i32,13i32] }

-- ==
-- entry: grow
-- input { 4i64 }
-- output { [0i64,1i64,1i64,2i64,2i64,2i64,3i64,3i64,3i64,3i64] }

-- ==
-- entry: shrink
-- input { [1i32,2i32,3i32,4i32,5i32] 2i64 }
-- output { [3i32,4i32,5i32] }

-- ==
-- entry: search
-- input { [1i32,3i32,5i32,7i32,9i32] 7i32 }
-- output { 1i64 }

-- ==
-- entry: keep_last
-- input { [1i32,2i32,3i32] 4i32 }
-- output { [3i32,4i32,5i32] [4i32,5i32,6i32] }

-- ==
-- entry: columns_sum
-- input { [[1.0,2.0],[3.0,4.0],[5.0,6.0]] }
-- output { [9.0,12.0] [[1.0,2.0],[4.0,6.0],[9.0,12.0]] }

-- ==
-- entry: choose
-- input { [1i32,2i32] 4i32 }
-- output { [5i32,6i32] }

-- ==
-- entry: stencil
-- input { [1.0,2.0,4.0,8.0] 2i32 }
-- output { [2.0,3.25,4.25,5.5] }

entry halve [n] (a: [n]f64) (k: i32) = loop a for _i < k do map (* 0.5) a

entry swap [n] (a: [n]i32) (b: [n]i32) (k: i32) = loop (a, b) for _i < k do (b, a)

entry fibonacci [n] (a: [n]i32) (b: [n]i32) (k: i32) =
  loop (a, b) for _i < k do (b, map2 (+) a b)

entry grow (n: i64) =
  loop xs = [] for i < n do xs ++ replicate (i + 1) i

entry shrink [n] (xs: [n]i32) (k: i64) =
  (loop (m, ys) = (n, xs :> [n]i32) for _i < k do (m - 1, drop 1 ys :> [m - 1]i32)).1

entry search (xs: []i32) (x: i32) =
  let ys = loop ys = xs while length ys > 1 do
    let m = length ys / 2
    in if ys[m] <= x then ys[m:] else ys[:m]
  in length ys

-- The array of the iteration before is kept beside the new one.
entry keep_last [n] (xs: [n]i32) (k: i32) =
  loop (a, b) = (xs, xs) for i < k - 1 do (b, map (+ 1) b)

entry columns_sum [n][m] (a: [n][m]f64) =
  (reduce (map2 (+)) (replicate m 0) a, scan (map2 (+)) (replicate m 0) a)

entry choose [n] (xs: [n]i32) (k: i32) =
  loop a = xs for i < k do if i % 2 == 0 then map (+ 2) a else copy a

entry stencil [n] (xs: [n]f64) (k: i32) =
  loop a = xs for _i < k do
    tabulate n (\i -> (a[i64.max 0 (i - 1)] + a[i64.min (n - 1) (i + 1)]) / 2)
