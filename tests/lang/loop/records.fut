-- A record as loop parameter.
-- ==
-- input { 4 } output { 4 6 }
entry main (n: i32) : (i32, i32) =
  let r = loop r = {count = 0, sum = 0} for i < n do {count = r.count + 1, sum = r.sum + i}
  in (r.count, r.sum)
