-- Arrays that rows of a nest update in the iterations of loops: in place, and without anything
-- that was read before changing.
-- ==
-- entry: logs
-- input { 3i64 [[1i64, 20i64, 3i64, 40i64, 5i64, 61i64], [7i64, 8i64, 90i64, 10i64, 11i64, 
--   12i64], [1i64, 1i64, 2i64, 3i64, 5i64, 8i64]] }
-- output {
--   [[[1i64, 20i64, 3i64, 40i64, 5i64, 61i64],
--     [133i64, 191i64, 141i64, 253i64, 149i64, 318i64],
--     [575i64, 750i64, 601i64, 938i64, 627i64, 126i64]],
--    [[7i64, 8i64, 90i64, 10i64, 11i64, 12i64],
--     [159i64, 163i64, 410i64, 171i64, 175i64, 179i64],
--     [725i64, 738i64, 471i64, 764i64, 777i64, 790i64]],
--    [[1i64, 1i64, 2i64, 3i64, 5i64, 8i64],
--     [23i64, 24i64, 28i64, 32i64, 39i64, 49i64],
--     [264i64, 268i64, 281i64, 294i64, 316i64, 347i64]]]
-- }

-- ==
-- entry: elements
-- input { 3i64 [[1i64, 20i64, 3i64, 40i64, 5i64, 61i64], [7i64, 8i64, 90i64, 10i64, 11i64, 
--   12i64], [1i64, 1i64, 2i64, 3i64, 5i64, 8i64]] }
-- output {
--   [[810i64, 829i64, 812i64, 849i64, 590i64, 870i64],
--    [400i64, 599i64, 280i64, 200i64, 201i64, 202i64],
--    [28i64, 28i64, 50i64, 191i64, 32i64, 81i64]]
-- }

-- ==
-- entry: reads
-- input { 3i64 [[1i64, 20i64, 3i64, 40i64, 5i64, 61i64], [7i64, 8i64, 90i64, 10i64, 11i64, 
--   12i64], [1i64, 1i64, 2i64, 3i64, 5i64, 8i64]] }
-- output {
--   [[136i64, 312i64, 640i64, 139i64, 315i64, 6i64],
--    [180i64, 446i64, 540i64, 182i64, 448i64, 92i64],
--    [26i64, 54i64, 138i64, 31i64, 59i64, 7i64]]
--   [24i64, 105i64, 4i64]
--   [[273i64, 352i64, 9i64],
--    [367i64, 462i64, 270i64],
--    [53i64, 56i64, 6i64]]
--   [[77i64, 55i64, 187i64, 12i64, 355i64, 276i64],
--    [205i64, 40i64, 210i64, 273i64, 465i64, 370i64],
--    [25i64, 20i64, 43i64, 9i64, 59i64, 56i64]]
-- }

-- ==
-- entry: strides
-- input { 3i64 [[1i64, 20i64, 3i64, 40i64, 5i64, 61i64], [7i64, 8i64, 90i64, 10i64, 11i64, 
--   12i64], [1i64, 1i64, 2i64, 3i64, 5i64, 8i64]] }
-- output {
--   [[28i64, 21i64, 23i64, 41i64, 24i64, 62i64],
--    [31i64, 11i64, 13i64, 13i64, 14i64, 15i64],
--    [16i64, 4i64, 6i64, 6i64, 7i64, 11i64]]
-- }

-- ==
-- entry: tables
-- input { 3i64 [[1i64, 20i64, 3i64, 40i64, 5i64, 61i64], [7i64, 8i64, 90i64, 10i64, 11i64, 
--   12i64], [1i64, 1i64, 2i64, 3i64, 5i64, 8i64]] }
-- output {
--   [[[133i64, 917i64, 677i64, 173i64, 138i64, 194i64],
--     [918i64, 267i64, 339i64, 307i64, 272i64, 328i64],
--     [678i64, 359i64, 516i64, 556i64, 521i64, 577i64],
--     [133i64, 267i64, 516i64, 43i64, 8i64, 64i64],
--     [133i64, 267i64, 516i64, 43i64, 8i64, 64i64],
--     [133i64, 267i64, 516i64, 43i64, 8i64, 64i64]],
--    [[141i64, 967i64, 781i64, 151i64, 152i64, 153i64],
--     [974i64, 277i64, 459i64, 287i64, 288i64, 289i64],
--     [788i64, 467i64, 548i64, 558i64, 559i64, 560i64],
--     [141i64, 277i64, 548i64, 13i64, 14i64, 15i64],
--     [141i64, 277i64, 548i64, 13i64, 14i64, 15i64],
--     [141i64, 277i64, 548i64, 13i64, 14i64, 15i64]],
--    [[23i64, 147i64, 275i64, 26i64, 28i64, 31i64],
--     [148i64, 47i64, 396i64, 50i64, 52i64, 55i64],
--     [276i64, 397i64, 95i64, 98i64, 100i64, 103i64],
--     [23i64, 47i64, 95i64, 6i64, 8i64, 11i64],
--     [23i64, 47i64, 95i64, 6i64, 8i64, 11i64],
--     [23i64, 47i64, 95i64, 6i64, 8i64, 11i64]]]
-- }

-- A row of states for each iteration.
def trace [t] [m] (xs: [m]i64) (_: [t]()) : [t][m]i64 =
  (loop (xs, log) = (xs, replicate t (replicate m 0)) for i < t do
     let log[i] = xs
     in (map2 (\x j -> (x * 3 + i64.sum xs + j) % 1009) xs (iota m), log)).1

entry logs [n] [m] (t: i64) (xss: [n][m]i64) = map (\xs -> trace xs (replicate t ())) xss

-- Elements that depend on those before, which the update replaces.
entry elements [n] [m] (t: i64) (xss: [n][m]i64) =
  map (\xs -> loop xs = copy xs for _i < t do
         let s = i64.sum xs
         let k = s % m
         let old = xs[k]
         let xs[k] = xs[(k + 1) % m] + s
         in map (\x -> (x + old) % 1009) xs)
      xss

-- What was read stays what it was, in scalars, slices and other arrays.
entry reads [n] [m] (t: i64) (xss: [n][m]i64) =
  unzip4 (map (\xs -> loop (xs, a, b, c) = (copy xs, 0, replicate (m / 2) 0, replicate m 0) for i < t do
         let first = xs[i % m]
         let half = map (* 1) xs[:m / 2]
         let s = i64.sum (map (+ first) xs)
         let back = map (+ i) (reverse xs)
         let xs[i % m] = s % 1009
         let xs[m / 2:m / 2 * 2] = map (+ s % 7) half
         in (map (% 1009) xs, a + first, map2 (+) b half, map2 (+) c back))
      xss)

-- Every second element; in one branch only; rows of rows.
entry strides [n] [m] (t: i64) (xss: [n][m]i64) =
  map (\xs -> loop xs = copy xs for i < t do
         let ys = map (+ i) xs[0:m / 2]
         let s = i64.sum ys
         let xs[0:m / 2 * 2:2] = ys
         let xs = if s % 2 == 0 then xs with [0] = s % 1009 else xs
         in map (% 1009) (map (+ s % 3) xs))
      xss

entry tables [n] [m] (t: i64) (xss: [n][m]i64) =
  map (\xs -> loop xss = replicate m (copy xs) for i < t do
         let s = map i64.sum xss
         let xss[i % m] = map2 (\a b -> (a + b) % 1009) s xs
         let xss[:, i % m] = map (% 1009) s
         in map (map (+ 1)) xss)
      xss
