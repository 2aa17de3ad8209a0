-- Sizes of branches: common, or unknown and shared between components.
def same (b: bool) (n: i64) : [n]i64 = if b then iota n else replicate n 3
def both (b: bool) (n: i64) = if b then (iota n, iota n) else (iota (n + 1), iota (n + 1))
def cases (x: i32) (n: i64) : [n]i64 = match x case 0 -> iota n case _ -> replicate n 1
def empty (b: bool) (xss: [][]i32) : [][]i32 = if b then [] else xss
-- ==
-- input { true } output { [0i64, 1i64] [0i64, 2i64] [0i64, 1i64] 0i64 }
-- input { false } output { [3i64, 3i64] [0i64, 2i64, 4i64] [1i64, 1i64] 2i64 }
entry main (b: bool) =
  let (p, q) = both b 2
  in (same b 2, map2 (+) p q, cases (i32.bool (!b)) 2, length (empty b [[1], [2]]))
