-- An array that the next iteration consumes, or that is consumed after the loop, is not handed on.
-- ==
-- entry: next
-- input { [1.0,2.0,3.0] [4.0,5.0,6.0] 3i64 } output { [1.0,2.0,3.0] [1.0,2.0,3.0] [117.0, 2.0, 3.0] }

-- ==
-- entry: after
-- input { [1.0,2.0,3.0] [4.0,5.0,6.0] 3i64 } output { [101.0,2.0,3.0] [7.0,11.0,15.0] }
entry next [n] (x: *[n]f64) (y: *[n]f64) (k: i64) : ([n]f64, [n]f64, [n]f64) =
  let (p, q, r) =
    loop (p: *[n]f64, q: *[n]f64, r: *[n]f64) = (copy x, copy y, copy y)
    for _i < k do
      let c = copy p
      let q2 = q with [0] = q[0] + 100
      let r = copy q2
      let r = r with [0] = r[0] + p[0] + 15
      let r = r with [1] = p[1]
      let r = r with [2] = p[2]
      in (c, p, r)
  in (p, q, r)

entry after [n] (x: *[n]f64) (y: *[n]f64) (k: i64) : ([n]f64, [n]f64) =
  let (p, q) =
    loop (p: *[n]f64, q: *[n]f64) = (x, y)
    for _i < k do
      (copy p, map2 (+) p q)
  in (p with [0] = p[0] + 100, q)
