-- What edges add to both of their ends: one accumulation, and one array that both ends add to.  What the map makes is
-- wanted besides in `kept`; histograms of several arrays have a version for arrays of few places.
-- structure soac,sink_hists: hist 2, withacc 3
-- ==
-- entry: edges
-- input { [1, 2, 4] [0i64, 1i64, -1i64] [1i64, 2i64, 2i64] } output { [-2, 0, 21] }

-- ==
-- entry: kept
-- input { [1, 2, 4] [0i64, 1i64, 2i64] [1i64, 2i64, 3i64] } output { [2, 5, 11] [1, 0, 1] }

-- ==
-- entry: two
-- input { [1, 2, 4] [0i64, 1i64, 2i64] [1i64, 2i64, 3i64] } output { [-2, -6, -8] [5, 5, 6] }
def pull [n] (x: [n]i32) (i: i64) (j: i64) : i32 = if i < 0 || j < 0 || i >= n || j >= n then 9 else 3 * (x[j] - x[i])

entry edges [n] [m] (x: [n]i32) (a: [m]i64) (b: [m]i64) : [n]i32 =
  let (p, q) = unzip (map2 (\i j -> let w = pull x i j in (w, -w - 1)) a b)
  let h = reduce_by_index (copy x) (+) 0 a (map i32.neg p)
  in reduce_by_index h (+) 0 b (map i32.neg q)

entry kept [n] [m] (x: [n]i32) (a: [m]i64) (b: [m]i64) : ([n]i32, [m]i32) =
  let (p, q) = unzip (map2 (\i j -> let w = pull x i j in (w, w % 2)) a b)
  let h = reduce_by_index (copy x) (+) 0 a q
  in (reduce_by_index h (+) 0 b p, q)

entry two [n] [m] (x: [n]i32) (a: [m]i64) (b: [m]i64) : ([n]i32, [n]i32) =
  let (p, q) = unzip (map2 (\i j -> let w = pull x i j in (w, w % 2)) a b)
  let h = reduce_by_index (replicate n 0) (+) 0 a (map2 (-) q p)
  let g = reduce_by_index (replicate n 5) i32.max 0 b (map2 (+) p q)
  in (h, g)
