-- An array updated in place.
-- ==
-- input { 5i64 } output { [0i64, 1i64, 4i64, 9i64, 16i64] }
entry main (n: i64) = loop xs = replicate n 0 for i < n do xs with [i] = i * i

-- ==
-- entry: fibonacci
-- input { 8i64 } output { [1, 1, 2, 3, 5, 8, 13, 21] }
entry fibonacci (n: i64) : [n]i32 =
  loop xs = replicate n 1 for i < n do
    if i < 2 then xs else xs with [i] = xs[i - 1] + xs[i - 2]
