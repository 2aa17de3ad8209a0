-- Rows whose loops have parallel steps: a block of threads does all of a row, with its arrays in
-- shared memory.
def row (n: i64) (r: i64) : [n]i64 = map (\i -> (i * 7919 + r * 104729) % 1009) (iota n)

def total [b] (xs: [b]i64) : i64 = i64.sum (map2 (*) xs (map (+ 1) (iota b)))

-- Odd-even sorting; the smallest ones.
def sort [n] (xs: [n]i64) : [n]i64 =
  loop xs for s < n do
    tabulate n (\i ->
      let j = if (i + s) % 2 == 0 then i + 1 else i - 1
      in if j < 0 || j >= n then xs[i] else if i < j then i64.min xs[i] xs[j] else i64.max xs[i] xs[j])

-- ==
-- entry: smallest
-- input { 20i64 40i64 3i64 } output { 3111i64 }
-- input { 3i64 5i64 3i64 } output { 4005i64 }
entry smallest (b: i64) (n: i64) (k: i64) : i64 =
  let rows = tabulate b (\r -> take k (sort (row n r)))
  in i64.sum (flatten (map (map2 (*) (iota k)) rows))

-- Walsh and Hadamard, with the derivative.
def hadamard [n] (bits: i64) (xs: [n]f64) : [n]f64 =
  loop xs for s < bits do
    map (\i -> let d = 1 << s in if i & d == 0 then xs[i] + xs[i ^ d] else xs[i ^ d] - xs[i]) (iota n)

def energy [b][n] (bits: i64) (xs: [b][n]f64) : f64 =
  f64.sum (map (\x -> f64.sum (map2 (\y i -> y * y * f64.i64 i) (hadamard bits x) (iota n))) xs)

-- ==
-- entry: transform
-- input { 17i64 5i64 } output { 2.958925232e10f64 -3645120.0f64 }
entry transform (b: i64) (bits: i64) : (f64, f64) =
  let n = 1 << bits
  let xs = tabulate b (\r -> map (\v -> f64.i64 v) (row n r))
  let ds = vjp (energy bits) xs 1
  in (energy bits xs, f64.sum (flatten (map (map2 (*) (map f64.i64 (iota n))) ds)))

-- The distance of Levenshtein: each row of the table by a scan.
def levenshtein [n][m] (a: [n]i64) (b: [m]i64) : i64 =
  let last =
    loop above = iota (m + 1) for i < n do
      let steps = tabulate (m + 1) (\j ->
        if j == 0 then i + 1
        else i64.min (above[j] + 1) (above[j - 1] + (if a[i] == b[j - 1] then 0 else 1)) - j)
      in map2 (+) (iota (m + 1)) (scan i64.min i64.highest steps)
  in last[m]

-- ==
-- entry: distances
-- input { 18i64 12i64 40i64 } output { 4932i64 }
entry distances (b: i64) (n: i64) (m: i64) : i64 =
  total <| tabulate b (\r -> levenshtein (map (% 4) (row n r)) (map (% 5) (row m (r + 3))))

-- Two arrays that change places, a branch that gives one of two, an update in place, and a number
-- of steps that the row decides.
-- ==
-- entry: mixed
-- input { 19i64 37i64 } output { 18243093i64 }
entry mixed (b: i64) (n: i64) : i64 =
  total <| tabulate b (\r ->
    let (a, c, _) =
      loop (a, c, k) = (row n r, row n (r + 1), 0)
      while k < 5 + r % 4 do
        let c' = map2 (\x y -> (x * 3 + y) % 101) c a
        let d = if k % 2 == 0 then map (+ k) a else c
        let d = copy d with [k % n] = 7
        let t = i64.sum d
        in (c', map (\x -> (x + t) % 97) d, k + 1)
    in i64.sum (map2 (*) a (map (+ 1) c)))

-- Histograms and scatters in steps.
-- ==
-- entry: counts
-- input { 18i64 50i64 } output { 11909223i64 }
entry counts (b: i64) (n: i64) : i64 =
  total <| tabulate b (\r ->
    let xs = loop xs = row n r for k < 4 do
      let hs = hist (+) 0 n (map (\x -> (x + k) % n) xs) xs
      in scatter (copy hs) (map (\i -> (i * i) % (n + 5)) (iota n)) (map (\_ -> k) xs)
         |> map (% 1000)
    in i64.sum (map2 (*) xs (iota n)))

-- Products in a row: steps of all rows together have more to do at a time.
-- ==
-- entry: powers
-- input { 17i64 33i64 } output { 2499003i64 }
-- input { 17i64 6i64 } output { 434889i64 }
entry powers (b: i64) (n: i64) : i64 =
  total <| tabulate b (\r ->
    let v = loop v = row n r for k < 3 do
      map (\i -> i64.sum (map2 (\x j -> (x * ((i * 5 + j * 3 + k) % 11)) % 1013) v (iota n)) % 1009) (iota n)
    in i64.sum v)

-- What fails in a step is said.
-- ==
-- entry: fails
-- input { 17i64 33i64 0i64 } output { 248865i64 }
-- input { 17i64 33i64 1i64 } error: Index \[33\] out of bounds for array of shape \[33\]
entry fails (b: i64) (n: i64) (d: i64) : i64 =
  total <| tabulate b (\r ->
    let v = loop v = row n r for k < 3 do map (\i -> (v[i + d * k / 2] + k) % 100) (iota n)
    in i64.sum v)
