-- Dynamic programming, explicit stacks, recursion.
def lev [n][m] (a: [n]u8) (b: [m]u8) : i64 =
  let row =
    loop row = iota (m + 1) for i < n do
      let (new, _) =
        loop (new, prev) = (replicate (m + 1) 0 with [0] = i + 1, i + 1) for j < m do
          let c = i64.min
                    (i64.min (row[j + 1] + 1) (prev + 1))
                    (row[j] + i64.bool (a[i] != b[j]))
          in (new with [j + 1] = c, c)
      in new
  in last row

-- ==
-- entry: levenshtein
-- input { } output { 3i64 3i64 2i64 }
entry levenshtein = (lev "kitten" "sitting", lev "" "abc", lev "flaw" "lawn")
def knapsack [n] (cap: i64) (ws: [n]i64) (vs: [n]i64) : i64 =
  last (loop best = replicate (cap + 1) 0 for (w, v) in zip ws vs do
          map
            (\c -> if c >= w then i64.max best[c] (best[c - w] + v) else best[c])
            (iota (cap + 1)))

-- ==
-- entry: sack
-- input { } output { 90i64 }
entry sack = knapsack 10 [5, 4, 6, 3] [10, 40, 30, 50]
def lcs [n][m] (a: [n]u8) (b: [m]u8) : []u8 =
  let t =
    loop t = replicate (n + 1) (replicate (m + 1) 0i32) for i in 1...n do
      loop t for j in 1...m do
        t with [i, j] = if a[i - 1] == b[j - 1]
                        then t[i - 1, j - 1] + 1
                        else i32.max t[i - 1, j] t[i, j - 1]
  let k = i64.i32 t[n, m]
  let (out, _, _, _) =
    loop (out, i, j, at) = (replicate k 0u8, n, m, k) while i > 0 && j > 0 do
      if a[i - 1] == b[j - 1] then ( out with [at - 1] = a[i - 1]
                                   , i - 1
                                   , j - 1
                                   , at - 1
                                   )
      else if t[i - 1, j] >= t[i, j - 1] then (out, i - 1, j, at) else ( out
                                                                       , i
                                                                       , j - 1
                                                                       , at
                                                                       )
  in out

-- ==
-- entry: common
-- input { } output { [71u8, 84u8, 65u8, 66u8] }
entry common = lcs "AGGTAB" "GXTXAYB"
def lis [n] (xs: [n]i32) : i64 =
  let best =
    loop best = replicate n 1i64 for i < n do
      best with [i] = 1
                      + i64.maximum
                          ([0]
                           ++ map2
                                (\x b -> if x < xs[i] then b else 0)
                                xs[:i]
                                best[:i])
  in i64.maximum best

-- ==
-- entry: increasing
-- input { } output { 4i64 }
entry increasing = lis [10, 9, 2, 5, 3, 7, 101, 18]
def queens (n: i32) : i32 =
  let full = (1 << n) - 1
  let cap = i64.i32 (n * n * n)
  let stack = replicate cap (0i32, 0i32, 0i32)
  let (count, _, _) =
    loop (count, stack, top) = (0, stack, 1) while top > 0 do
      let (cols, d1, d2) = stack[top - 1]
      in if cols == full then (count + 1, stack, top - 1)
         else let free = full & !(cols | d1 | d2)
              let (stack, top, _) =
                loop (stack, top, free) = (stack, top - 1, free) while free != 0 do
                  let bit = free & (-free)
                  in ( stack with [top] = ( cols | bit
                                          , ((d1 | bit) << 1) & full
                                          , (d2 | bit) >> 1
                                          )
                     , top + 1
                     , free ^ bit
                     )
              in (count, stack, top)
  in count

-- ==
-- entry: queens_
-- input { } output { [2i32, 10i32, 4i32] }
entry queens_ = map queens [4, 5, 6]
def matpow (m: [2][2]i64) (n: i32) =
  let mul (a: [2][2]i64) (b: [2][2]i64) =
    map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose b)) a
  in (loop (acc, base, n) = ([[1, 0], [0, 1]], m, n) while n > 0 do
        (if n & 1 == 1 then mul acc base else acc, mul base base, n >> 1)).0

-- ==
-- entry: fib90
-- input { } output { 2880067194370816120i64 }
entry fib90 = (matpow [[1, 1], [1, 0]] 90)[0, 1]
def catalan (n: i64) = (loop c = replicate (n + 1) 0u64 with [0] = 1 for i in 1..<n
                                                                                  + 1 do
                          c with [i] = u64.sum (map2 (*) c[:i] (reverse c[:i])))[n]

-- ==
-- entry: cat
-- input { } output { [1u64, 1u64, 42u64, 16796u64] }
entry cat = map catalan [0, 1, 5, 10]
def pascal (n: i64) : [n][n]i32 =
  loop p = replicate n (replicate n 0) for i < n do
    loop p for j < i + 1 do
      p with [i, j] = if j == 0 || j == i
                      then 1
                      else p[i - 1, j - 1] + p[i - 1, j]

-- ==
-- entry: pasc
-- input { }
-- output {
--   [[1i32, 0i32, 0i32, 0i32, 0i32], [1i32, 1i32, 0i32, 0i32, 0i32], [1i32, 2i32, 1i32, 0i32,
--   0i32], [1i32, 3i32, 3i32, 1i32, 0i32], [1i32, 4i32, 6i32, 4i32, 1i32]]
-- }
entry pasc = pascal 5
def collatz (n: i64) = (loop (n, k) = (n, 0i32) while n != 1 do
                          (if n % 2 == 0 then n / 2 else 3 * n + 1, k + 1)).1

-- ==
-- entry: longest
-- input { } output { 111i32 27i64 }
entry longest =
  let xs = map collatz (1...30)
  in reduce_comm
       (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j))
       (-1, -1i64)
       (zip xs (1...30))
def ackermann (m: i32) (n: i32) : i32 =
  if m == 0
  then n + 1
  else if n == 0
  then ackermann (m - 1) 1
  else ackermann (m - 1) (ackermann m (n - 1))

-- ==
-- entry: ack
-- input { } output { 9i32 }
entry ack = ackermann 2 3
def hanoi (n: i32) : i64 = if n == 0 then 0 else 2 * hanoi (n - 1) + 1

-- ==
-- entry: hanoi_
-- input { } output { 1048575i64 }
entry hanoi_ = hanoi 20
