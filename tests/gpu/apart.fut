-- Steps of rows that blocks do, several iterations of a thread at a time: rows that are no multiple of those, of no and of
-- one element; elements that are read and written in one place; checks that fail in the first and in the last iterations.
-- ==
-- entry: paired
-- input { 3i64 2i64 1i64 1i64 } output { 24i64 }
-- input { 40i64 4096i64 2i64 2i64 } output { 21848i64 }
-- input { 40i64 1i64 0i64 1i64 } output { 0i64 }
-- input { 40i64 0i64 3i64 1i64 } output { 0i64 }
-- input { 20i64 3000i64 3i64 1i64 } output { 10278i64 }
-- input { 20i64 4100i64 1i64 4i64 } error: Index \[410[0-3]\] out of bounds for array of shape \[4100\]
-- input { 20i64 4100i64 2i64 -9223372036854775808i64 } error: Index \[-92233720368547[0-9]*\] out of bounds for array of shape \[4100\]

-- ==
-- entry: shifted
-- input { 20i64 5001i64 3i64 } output { 7124i64 }
-- input { 20i64 1023i64 5i64 } output { 10784i64 }
-- input { 20i64 1i64 2i64 } output { 0i64 }
-- input { 20i64 0i64 2i64 } output { 0i64 }

-- ==
-- entry: bounded
-- input { 20i64 3000i64 2i64 0i64 } output { 12562i64 }
-- input { 20i64 3000i64 2i64 -1i64 } output { 11739i64 }
-- input { 20i64 3000i64 1i64 1i64 } error: Index \[3000\] out of bounds for array of shape \[3000\]
-- input { 20i64 3000i64 1i64 -2999i64 } error: Index \[-[0-9]*\] out of bounds for array of shape \[3000\]

-- ==
-- entry: logged
-- input { 20i64 3000i64 3i64 } output { 5108592.0f64 }
-- input { 20i64 1027i64 2i64 } output { 418368.0f64 }
-- input { 20i64 1i64 2i64 } output { 0.0f64 }

-- Each element with the one whose number differs in one digit.
entry paired (rows: i64) (n: i64) (k: i64) (d: i64) : i64 =
  let row r =
    loop xs = map (\i -> (i * 7 + r) % 11) (iota n) for _s < k do
      tabulate n (\i ->
                    let j = i ^ d
                    in if i & d == 0 then i64.min xs[i] xs[j] else i64.max xs[i] (xs[j] + 1))
  in i64.sum (map (\r -> i64.sum (map2 (*) (row r) (iota n)) % 1000) (iota rows))

-- In place, and two results.
entry shifted (rows: i64) (n: i64) (k: i64) : i64 =
  let row r =
    let (xs, ys) =
      loop (xs, ys) = (map (\i -> (i * 5 + r) % 13) (iota n), replicate n 0) for s < k do
        (map2 (\x i -> x + i % 3 + s) xs (iota n), map2 (\y i -> y + xs[n - 1 - i]) ys (iota n))
    in i64.sum (map3 (\x y i -> (x - y) * i) xs ys (iota n)) % 1000
  in i64.sum (map row (iota rows))

-- An index from outside of the loop.
entry bounded (rows: i64) (n: i64) (k: i64) (at: i64) : i64 =
  let row r =
    loop xs = map (\i -> (i * 3 + r) % 7) (iota n) for s < k do
      tabulate n (\i -> if i > r + s then xs[(i + r) % n] + xs[i + at] else xs[i])
  in i64.sum (map (\r -> i64.sum (map2 (*) (row r) (iota n)) % 1000) (iota rows))

-- What the return sweep needs of each step is copied row by row.
def products [n] (k: i64) (xs: [n]f64) : f64 =
  f64.sum (loop xs for _s < k do tabulate n (\i -> xs[i] * xs[if i + 1 < n then i + 1 else 0]))

entry logged (rows: i64) (n: i64) (k: i64) : f64 =
  let xss = tabulate_2d rows n (\r i -> f64.i64 (1 + (i * 3 + r) % 5 / 4))
  let gs = vjp (\xss -> f64.sum (map (products k) xss)) xss 1
  in f64.sum (map (\g -> f64.sum (map2 (\v i -> v * f64.i64 (i % 7)) g (iota n))) gs)
