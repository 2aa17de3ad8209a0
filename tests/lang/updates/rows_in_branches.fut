-- Rows of an array are updated, and others read, in one branch of two: in the other one the array has not
-- changed.  An update that another one overwrites is among those that reads move past.
-- ==
-- entry: branch
-- input { true [[1i64,2i64],[3i64,4i64],[5i64,6i64]] } output { [[3i64,4i64],[3i64,4i64],[8i64,10i64]] }
-- input { false [[1i64,2i64],[3i64,4i64],[5i64,6i64]] } output { [[1i64,2i64],[3i64,4i64],[5i64,6i64]] }
entry branch [n] (c: bool) (a: *[3][n]i64) : *[3][n]i64 =
  if c then let a[0] = copy a[1]
            let x = map (+ 0) a[2]
            let a[2] = map2 (+) x a[1]
            in a
  else a
-- ==
-- entry: gone
-- input { [[1i64,2i64],[3i64,4i64],[5i64,6i64],[0i64,1i64]] } output { [[1i64,2i64],[12i64,15i64],[14i64,17i64],[14i64,17i64]] }
entry gone [n] (a: *[4][n]i64) : *[4][n]i64 =
  let a[3] = map (* 2) a[0]
  let x = map (+ 7) a[1]
  let a[1] = map2 (+) x a[3]
  let y = map (+ 1) a[2]
  let a[3] = map2 (+) a[1] (map (const 2) x)
  let a[2] = map2 (+) a[3] (map2 (-) y y)
  in a
