-- Rows of recurrences that choose, each of several numbers by one condition, with work in both branches: rows are
-- lanes of vectors, of which some take one branch and some the other, all, or none; what is left are single rows.
def step (k: i64) (top: f64, sum: f64, hits: f64) (x: f64) : (f64, f64, f64) =
  if x <= top
  then if x < 0 then (top, sum + x * 0.5 - top, hits + 1) else (top, sum + f64.sqrt (x + top * top), hits)
  else (x, sum * 0.75 + x - top * f64.i64 k, hits * 0.5)

def row (m: i64) (i: i64) : f64 =
  let (a, b, c) = loop s = (-3, 0, 0) for k < m do step k s (f64.i64 i * 0.75 - 2 * f64.i64 (k * k % 11))
  in a + b + c

-- ==
-- entry: rows
-- input { 0i64 5i64 } output { empty([0]f64) }
-- input { 1i64 5i64 } output { [-15.0f64] }
-- input { 16i64 9i64 } output { [-31.0f64, -32.5f64, -34.0f64, -32.070113885676776f64, -32.33772233983162f64, -32.64850656985328f64, -32.98030399291527f64, -33.324099172206374f64, -11.67544467966324f64, -9.671211931628246f64, -7.693199023678481f64, 9.656117283440029f64, 12.766519437607638f64, 15.859879574484882f64, 58.487478115127075f64, 63.8701540015126f64] }
entry rows (n: i64) (m: i64) : [n]f64 = tabulate n (row m)

-- ==
-- entry: total
-- input { 0i64 5i64 } output { 0.0f64 }
-- input { 1i64 5i64 } output { -15.0f64 }
-- input { 16i64 9i64 } output { -129.26045318328107f64 }
-- input { 37i64 0i64 } output { -111.0f64 }
-- input { 37i64 12i64 } output { 4965.075435118297f64 }
-- input { 53i64 40i64 } output { 37210.42171305395f64 }
entry total (n: i64) (m: i64) : f64 = f64.sum (map (row m) (iota n))
