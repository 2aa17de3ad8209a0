-- Updates in some branches of a loop's body and not in others: all in place, so that many rounds over
-- a large array take no time.
-- ==
-- entry: one
-- input { 200000i64 } output { 100000i64 }
entry one (n: i64) =
  i64.sum (loop a = replicate n 1 for i < n do if i % 2 == 0 then a else a with [i] = 0)

-- ==
-- entry: two
-- input { 200000i64 } output { 100000i64 300000i64 }
entry two (n: i64) =
  let (a, b) = loop (a, b) = (replicate n 1i64, replicate n 2i64) for i < n do
    if i % 2 == 0 then (a, b with [i] = 1) else (a with [i] = 0, b)
  in (i64.sum a, i64.sum b)

-- ==
-- entry: part
-- input { 200000i64 } output { 400000i64 3000000i64 }
entry part (n: i64) =
  let a = loop a = replicate n (1i64, 2i64) for i < n do
    if a[i].0 > 1 then a with [i] = (3, 4)
    else if i % 2 == 0 then a with [i].0 = 3
    else a with [i].1 = 28
  in (i64.sum (map (.0) a), i64.sum (map (.1) a))

-- ==
-- entry: sums
-- input { 200000i64 } output { 135683i64 }
entry sums (n: i64) =
  let a = loop a = replicate n (#some 1 : #some i64 | #none) for i < n do
    match a[(i * 7) % n]
    case #some _ -> if i % 2 == 0 then a with [i] = #none else a
    case #none -> a
  in i64.sum (map (\x -> match x case #some k -> k case #none -> 0) a)
