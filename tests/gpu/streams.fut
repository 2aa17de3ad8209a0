-- Iterations that are loops of different lengths: threads that are done with one take another.

-- A for-loop, with something before and after it.
-- ==
-- entry: sums
-- input { 10000i64 } output { 2923152i64 9098654i64 }
entry sums (n: i64) : (i64, i64) =
  let one i =
    let m = (i * 7) % 53
    let (a, b, c, d) =
      loop (a, b, c, d) = (i, 1, 2, 3)
      for j < m do
        let a = (a + j * d) % 97
        let b = (b * 3 + a) % 101
        let c = (c * 5 + b) % 103
        in (a, b, c, (d * 7 + c * i) % 107)
    in (a + b + c + d, m * m)
  let (xs, ys) = unzip (map one (iota n))
  in (i64.sum (opaque xs), i64.sum (opaque ys))

-- A while-loop, in a nest of two.
-- ==
-- entry: collatz
-- input { 100i64 90i64 } output { 14514712i64 }
entry collatz (n: i64) (m: i64) : i64 =
  let length i j =
    let (_, k, a, b, c) =
      loop (x, k, a, b, c) = (i * m + j + 1, 0i64, 1i64, 2i64, 3i64)
      while x != 1 do
        let x = if x % 2 == 0 then x / 2 else 3 * x + 1
        let a = (a * 31 + x) % 1009
        let b = (b * 37 + a) % 1013
        in (x, k + 1, a, b, (c * 41 + b) % 1019)
    in k + a + b + c
  in i64.sum (flatten (opaque (tabulate_2d n m length)))

-- Rows of their own lengths, and sums that threads share; a failure in one of them.
-- ==
-- entry: rows
-- input { [0i64, 3i64, 3i64, 10i64, 11i64, 60i64, 61i64, 62i64] 5i64 } output { [5688i64, 4541i64, 4422i64, 4384i64, 10081i64] }
-- input { [0i64, 3i64, 3i64, 10i64, 11i64, 60i64, 61i64, 4000000i64] 5i64 } error: out of bounds
entry rows [n] (starts: [n]i64) (k: i64) : [k]i64 =
  let places = iota 1000
  let (_, counts) =
    loop (t, counts) = (0, replicate k 0) while t < 1 do
      let row i =
        (loop (x, bins) = (i + 1, replicate 5 0)
         for j < starts[i + 1] - starts[i] do
           let x = (x * 31 + places[starts[i] + j]) % 1009
           let y = (x * 17 + 3) % 1013
           let z = (y * x + 5) % 1019
           let w = (z * y + x) % 1021
           let bins[w % 5] = bins[w % 5] + z
           in (x, bins)).1
      let all = opaque (tabulate (n - 1) row)
      in (t + 1, map (\p -> i64.sum (map (\r -> r[p]) all)) (iota k))
  in counts

-- Nothing to do at all, and fewer iterations than threads.
-- ==
-- entry: few
-- input { 0i64 } output { empty([0]i64) }
-- input { 3i64 } output { [0i64, 58i64, 42i64] }
entry few (n: i64) : [n]i64 =
  map (\i -> (loop (a, b, c) = (0, 1, 2)
              for j < 5 * i do
                let a = (a + b * c + j) % 61
                let b = (b + a * 3) % 67
                let c = (c + b * 5) % 71
                let d = (a * b + c) % 73
                let e = (d * a + b) % 79
                in (a, b, (c + d + e) % 83)).0)
      (iota n)

-- Many, of which eight and more are taken up at a time.
-- ==
-- entry: many
-- input { 9000i64 } output { 276301i64 }
entry many (n: i64) : i64 =
  let one i =
    (loop (a, b, c) = (0, 1, 2)
     for j < i % 37 do
       let a = (a + b * c + j) % 61
       let b = (b + a * 3) % 67
       let c = (c + b * 5) % 71
       let d = (a * b + c) % 73
       let e = (d * a + b) % 79
       in (a, b, (c + d + e) % 83)).0
  in i64.sum (opaque (map one (iota n)))
