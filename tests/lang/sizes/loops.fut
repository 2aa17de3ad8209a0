-- Loop parameters of invariant, varying and given sizes.
def keep (n: i64) : [n]i64 = loop xs = iota n for _i < 3i32 do map (+ 1) xs
def swap (n: i64) : ([n]i64, [n]i64) =
  loop (a, b) = (iota n, replicate n 7) for _i < 3i32 do (b, a)
def swap_sizes (n: i64) (m: i64) = loop (a, b) = (iota n, iota m) for _i < 3i32 do (b, a)
def grow (n: i64) = loop (m, xs) = (n, iota n) for _i < 3i32 do (m + 1, xs ++ [m])
def fixed [n] (xs: [n]i64) (ys: []i64) : [n]i64 = loop a = xs for _i < 2i32 do map2 (+) a ys
def shrink (xs: []i64) = loop ys = xs while length ys > 1 do filter (> ys[0]) ys
-- ==
-- input { 2i64 }
-- output { [3i64, 4i64] [7i64, 7i64] [0i64, 1i64] [0i64, 1i64, 2i64] [0i64, 1i64]
--          [0i64, 1i64, 2i64, 3i64, 4i64] [0i64, 3i64] [2i64] }
entry main (n: i64) =
  let (a, b) = swap n
  let (c, d) = swap_sizes n 3
  in (keep n, a, b, c, d, (grow n).1, fixed (iota n) (iota n), shrink [0, 1, 2])
