-- A branch updates a view of an array that it owns: what goes on one thread of a device owns that
-- array too, be it handed in or updated just before.

#[noinline]
def f (x: f64, m: *[2][3]f64) : f64 =
  if x > 0.5
  then x
  else let r = transpose m
       let r = loop r for i < 3i64 do
                 loop r for j < i + 1 do
                   if i == j then r with [i, j % 2] = 0.5 * r[i, 1 - j % 2] + x * r[j, 0] else r
       in r[0, 0] + r[2, 1] * r[1, 1]

-- ==
-- entry: main
-- input { 0.25 [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { 11.25 }
-- input { 0.75 [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] } output { 0.75 }
entry main (x: f64) (m: *[2][3]f64) : f64 = f (x, m)

-- ==
-- entry: before
-- input { 0.25 1i64 } output { 0.4765625 }
-- input { 0.75 1i64 } output { 0.75 }
entry before (x: f64) (k: i64) : f64 =
  let m = replicate 2 (replicate 3 x)
  let m[1, k] = x * x
  let m[0, k] = m[1, k] + x
  in if x > 0.5 then x
     else let r = transpose m
          let r = loop r for i < 3i64 do r with [i, i % 2] = 0.5 * r[i, 1 - i % 2] + x
          in r[0, 0] + r[2, 1] * r[1, 1]
