-- An update through records and arrays.
-- ==
-- input { 1i64 7 } output { [0, 7, 0] 5 }
entry main (i: i64) (v: i32) =
  let r = {a = replicate 3 0i32, b = 5i32}
  let r = r with a[i] = v
  in (r.a, r.b)
