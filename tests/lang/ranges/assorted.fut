-- Ranges and slices of every form.

-- ==
-- entry: a
-- input { }
-- output {
--   [0i32, 1i32, 2i32, 3i32, 4i32]
--   [1i32, 2i32, 3i32, 4i32, 5i32]
--   [5i32, 4i32, 3i32, 2i32, 1i32]
--   [10i32, 8i32, 6i32, 4i32, 2i32, 0i32]
--   [10i32, 8i32, 6i32, 4i32, 2i32]
--   [0i32, 2i32, 4i32, 6i32]
-- }
entry a = (0..<5, 1...5, 5..>0, 10..8...0, 10..8..>0, 0..2..<7)

-- ==
-- entry: b
-- input { } output { [0u8, 1u8, 2u8, 3u8, 4u8] [250u8, 252u8, 254u8] [5u16, 4u16, 3u16] }
entry b = (0u8..<5, 250u8..252...255, 5u16..>2u16)

-- ==
-- entry: c
-- input { }
-- output {
--   [3i32, 4i32, 5i32]
--   empty([0]i32)
--   empty([0]i32)
--   [3i32, 2i32, 1i32]
--   [-1i32, 1i32, 3i32]
-- }
entry c =
  let x = 3i32 in (x...x + 2, x..<x, x..>x, x..x - 1...x - 2, (-1)..1...3)

-- ==
-- entry: d
-- input { }
-- output {
--   [0i64, 1i64, 2i64, 3i64]
--   [0i64, 1i64, 2i64, 3i64]
--   [1i64, 2i64, 3i64, 4i64]
--   [4i64, 3i64, 2i64, 1i64]
-- }
entry d = let n = 4i64 in (0..<n, 0..1..<n, 1..2...n, (n..>0))

-- ==
-- entry: e
-- input { } output { [0i32, 0i32, 10i32] }
entry e = map (\i -> i32.sum (0..<i)) [0, 1, 5]

-- ==
-- entry: f
-- input { } output { 1000000i64 }
entry f = length (1...1000000i32)

-- ==
-- entry: g
-- input { } output { [[1i64, 2i64, 3i64], [1i64, 2i64, 3i64]] }
entry g = [1...3i64, 1...3i64]

-- ==
-- entry: h
-- input { }
-- output {
--   [2i64, 3i64, 4i64]
--   [0i64, 1i64, 2i64]
--   [7i64, 8i64, 9i64]
--   [0i64, 3i64, 6i64, 9i64]
--   [9i64, 8i64, 7i64, 6i64, 5i64, 4i64, 3i64, 2i64, 1i64, 0i64]
--   [8i64, 6i64, 4i64]
--   [0i64, 1i64, 2i64, 3i64, 4i64, 5i64, 6i64, 7i64, 8i64, 9i64]
--   empty([0]i64)
--   [0i64, 1i64]
--   [4i64, 2i64, 0i64]
-- }
entry h =
  let xs = iota 10
  in ( xs[2:5]
     , xs[:3]
     , xs[7:]
     , xs[::3]
     , xs[::-1]
     , xs[8:2:-2]
     , xs[:]
     , xs[3:3]
     , xs[-1 + 1:2]
     , xs[4::-2]
     )

-- ==
-- entry: i
-- input { }
-- output {
--   [4i64, 5i64, 6i64, 7i64]
--   [1i64, 5i64, 9i64]
--   [[7i64, 6i64, 5i64, 4i64], [11i64, 10i64, 9i64, 8i64]]
--   [[1i64, 2i64], [5i64, 6i64]]
--   11i64
--   [8i64, 0i64]
-- }
entry i =
  let m = unflatten (iota (3 * 4)) : [3][4]i64
  in (m[1], m[:, 1], m[1:,::-1], m[0:2, 1:3], m[2, 3], m[::-2, 0])

-- ==
-- entry: j
-- input { } output { empty([0]i32) [5i32, 4i32] [5i32, 4i32, 3i32] empty([0]i32) }
entry j = let a = [1, 2, 3, 4, 5] in (a[6:6], a[:2:-1], a[4:1:-1], a[-1:-1])

-- ==
-- entry: k
-- input { } error: Index \[3:1\] out of bounds for array of shape \[5\]\.
entry k = [1, 2, 3, 4, 5][3:1]

-- ==
-- entry: l
-- input { } error: Range 1\.\.\.0 is invalid\.
entry l = (1...0i32)

-- ==
-- entry: m
-- input { } error: Range 1\.\.1\.\.\.5 is invalid\.
entry m = 1..1...5

-- ==
-- entry: n
-- input { } error: Index \[3:0:-1\] out of bounds for array of shape \[3\]\.
entry n = let a = iota 3 in a[3:0:-1]

-- ==
-- entry: o
-- input { } error: Index \[3\] out of bounds for array of shape \[3\]\.
entry o = (iota 3)[3i8]

-- ==
-- entry: p
-- input { } output { 7i64 }
entry p = (iota 5)[4i8] + (iota 5)[3i32]

-- ==
-- entry: q
-- input { } error: Index \[1, 2\] out of bounds for array of shape \[3\]\[2\]\.
entry q = let a = replicate 3 (iota 2) in a[1, 2]
