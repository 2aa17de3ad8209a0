-- Dynamic programming: knapsack, all shortest paths, longest common subsequence.
-- ==
-- entry: knapsack
-- input { [3i64, 4i64, 5i64, 9i64, 4i64] [3i32, 4i32, 4i32, 10i32, 4i32] 0i64 }
-- output { 0i32 }
-- input { [3i64, 4i64, 5i64, 9i64, 4i64] [3i32, 4i32, 4i32, 10i32, 4i32] 8i64 }
-- output { 8i32 }
-- input { [3i64, 4i64, 5i64, 9i64, 4i64] [3i32, 4i32, 4i32, 10i32, 4i32] 11i64 }
-- output { 11i32 }
-- input { [3i64, 4i64, 5i64, 9i64, 4i64] [3i32, 4i32, 4i32, 10i32, 4i32] 25i64 }
-- output { 25i32 }

-- ==
-- entry: floyd
-- input { [[0i32, 3i32, 1000i32, 7i32], [8i32, 0i32, 2i32, 1000i32], [5i32, 1000i32, 0i32, 1i32], [2i32, 1000i32, 1000i32, 0i32]] }
-- output { [[0i32, 3i32, 5i32, 6i32], [5i32, 0i32, 2i32, 3i32], [3i32, 6i32, 0i32, 1i32], [2i32, 5i32, 7i32, 0i32]] }

-- ==
-- entry: lcs
-- input { "AGGTABXX" "GXTXAYBX" }
-- output { 5i32 }

entry knapsack [n] (ws: [n]i64) (vs: [n]i32) (cap: i64) : i32 =
  let best = loop best = replicate (cap + 1) 0 for (w, v) in zip ws vs do
    map (\j -> if j < w then best[j] else i32.max best[j] (best[j - w] + v)) (iota (cap + 1))
  in best[cap]

entry floyd [n] (d: [n][n]i32) : [n][n]i32 =
  loop d for k < n do
    map (\row -> map2 (\d_ij d_kj -> i32.min d_ij (row[k] + d_kj)) row d[k]) d

entry lcs [n][m] (a: [n]u8) (b: [m]u8) : i32 =
  let t = replicate (n + 1) (replicate (m + 1) 0i32)
  let t = loop t for i < n do
    loop t for j < m do
      t with [i + 1, j + 1] = if a[i] == b[j] then t[i, j] + 1
                              else i32.max t[i, j + 1] t[i + 1, j]
  in t[n, m]
