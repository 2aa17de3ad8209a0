-- The sieve: by scatter over multiples, and by recursion over the square root.
-- ==
-- entry: sieve
-- input { 2i64 }
-- output { [2i64] }
-- input { 3i64 }
-- output { [2i64, 3i64] }
-- input { 30i64 }
-- output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }
-- input { 100i64 }
-- output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64, 31i64, 37i64, 41i64, 43i64, 47i64, 53i64, 59i64, 61i64, 67i64, 71i64, 73i64, 79i64, 83i64, 89i64, 97i64] }

-- ==
-- entry: recursive
-- input { 2i64 }
-- output { [2i64] }
-- input { 3i64 }
-- output { [2i64, 3i64] }
-- input { 30i64 }
-- output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64] }
-- input { 100i64 }
-- output { [2i64, 3i64, 5i64, 7i64, 11i64, 13i64, 17i64, 19i64, 23i64, 29i64, 31i64, 37i64, 41i64, 43i64, 47i64, 53i64, 59i64, 61i64, 67i64, 71i64, 73i64, 79i64, 83i64, 89i64, 97i64] }
-- input { 1i64 }
-- output { empty([0]i64) }

entry sieve (n: i64) : []i64 =
  let flags = replicate (n + 1) true
  let flags = loop flags for i in 2...i64.max 2 n do
    if i * i > n || !flags[i] then flags
    else let ms = i * i..i * i + i...n in scatter flags ms (map (const false) ms)
  in filter (\i -> i > 1 && flags[i]) (iota (n + 1))

entry recursive (n: i64) : []i64 =
  if n < 2 then []
  else
    let small = recursive (i64.f64 (f64.sqrt (f64.i64 n)))
    let sqrt = i64.f64 (f64.sqrt (f64.i64 n))
    let composite i = any (\p -> i % p == 0) small
    in small ++ filter (\i -> !composite i) (sqrt + 1...n)
