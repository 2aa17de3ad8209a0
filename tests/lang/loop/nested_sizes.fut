-- Loops in loops whose sizes stay what the outermost loop starts with.
-- ==
-- entry: pairs
-- input { 3i32 } output { [3i32, 9i32] }
entry pairs (n: i32) : [2]i32 =
  loop v = [3i32, 0] for i < 3i32 do loop v for _j < n do [v[0], v[1] + i]

-- ==
-- entry: named
-- input { 2i64 } output { [2i64, 3i64] }
entry named (n: i64) : [n]i64 =
  loop xs = iota n for i < 3 do
    loop ys = xs for _j < 2i32 do
      loop zs = ys for _k < 1i32 do tabulate n (\k -> zs[n - 1 - k] + i / 2)
-- ==
-- entry: grows
-- input { 3i64 } output { [0i64, 1i64, 2i64, 0i64, 1i64, 2i64] }
entry grows (n: i64) : []i64 =
  loop xs = [] for _i < 2i32 do
    loop ys = xs for j < n do ys ++ [j]
