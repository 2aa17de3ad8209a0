-- Loops of every form.

-- ==
-- entry: a
-- input { } output { 55i32 89i32 }
entry a = loop (a, b) = (0i32, 1) for _i < 10i8 do (b, a + b)

-- ==
-- entry: b
-- input { } output { 32i32 }
entry b = loop acc = 0 for (x, y) in zip [1, 2, 3i32] [4, 5, 6] do acc + x * y

-- ==
-- entry: c
-- input { } output { 4f32 2i32 }
entry c =
  (loop {s, n} = {s = 0f32, n = 0i32} for x in [1.5f32, 2.5] do
     {s = s + x, n = n + 1})
  |> \r -> (r.s, r.n)

-- ==
-- entry: d
-- input { } output { 10i32 }
entry d = loop x = 40i32 while x > 10 do if x % 2 == 0 then x / 2 else x - 3

-- ==
-- entry: e
-- input { } output { 12i32 }
entry e = let x = 1i32 in loop x for i < 3 do x * 2 + i

-- ==
-- entry: f
-- input { } output { 5i32 8i32 }
entry f = let (x, y) = (1i32, 2i32) in loop (x, y) for i < 3 do (y, x + y)

-- ==
-- entry: g
-- input { } output { 20u8 }
entry g = loop s = 0u8 for c in "hello" do s + c

-- ==
-- entry: h
-- input { } output { [[2i32, 2i32], [2i32, 2i32]] }
entry h =
  loop xss = replicate 2 (replicate 2 1i32) for i < 2 do
    map (map (+ i32.i64 i)) xss

-- ==
-- entry: i
-- input { } output {  }
entry i = loop _ = () for _i < 3i32 do ()

-- ==
-- entry: j
-- input { } output { 2i32 }
entry j = (loop (x, _) = (1i32, 2f32) for i < 2i32 do (x + i, 3)).0

-- ==
-- entry: k
-- input { } output { 5i32 }
entry k = loop x = 5i32 for i < -3i32 do x + i

-- ==
-- entry: l
-- input { } output { 10i64 }
entry l = loop (acc: i64) = 0 for xs in [[1, 2], [3, 4]] do acc + i64.sum xs

-- ==
-- entry: m
-- input { } output { [0i32, 1i32, 4i32, 9i32, 16i32, 25i32, 36i32, 49i32] }
entry m = (loop (xs, n) = (replicate 8 0i32, 0i64) while n < 8 do
             (xs with [n] = i32.i64 (n * n), n + 1)).0

-- ==
-- entry: n
-- input { } output { 81i32 }
entry n = let f = \x -> loop y = x for _i < 2i32 do y * y in f 3i32

-- ==
-- entry: o
-- input { } output { [0i64, 0i64, 10i64] }
entry o = map (\n -> loop s = 0 for i < n do s + i) [0, 1, 5i64]

-- ==
-- entry: p
-- input { } output { 13i64 }
entry p = loop z = 0i64 for i in iota 3 ++ [10] do z + i

-- ==
-- entry: q
-- input { } output { 1i64 }
entry q = (loop best = {v = f32.lowest, i = -1i64} for (i, v) in zip
                                                                   (iota 4)
                                                                   [ 3f32
                                                                   , 9
                                                                   , 2
                                                                   , 9
                                                                   ] do
             if v > best.v then {v, i} else best).i
