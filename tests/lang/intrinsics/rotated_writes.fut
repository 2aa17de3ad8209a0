-- Writes of accumulators to places around the end, of which those outside of small arrays are left out.

-- ==
-- entry: two
-- input { 1i64 } output { [0i64] }
-- input { 2i64 } output { [10i64, 20i64] }
-- input { 3i64 } output { [20i64, 30i64, 10i64] }

-- ==
-- entry: before
-- input { 1i64 } output { [0i64] }
-- input { 2i64 } output { [10i64, 20i64] }
-- input { 4i64 } output { [30i64, 40i64, 10i64, 20i64] }

-- ==
-- entry: some
-- input { 2i64 3i64 } output { [0i64, 10i64] }
-- input { 4i64 3i64 } output { [20i64, 30i64, 40i64, 10i64] }
-- input { 3i64 -1i64 } output { [20i64, 30i64, 0i64] }
def write (n: i64) (place: i64 -> i64) : [n]i64 =
  intrinsics.hist_stream (replicate n 0i64) (+) 0
    (\(acc: *intrinsics.acc ([n]i64)) i -> intrinsics.acc_write acc (place i) (10 * (i + 1)))
    (iota n)

entry two (n: i64) : [n]i64 = write n (\i -> if i + 2 < n then i + 2 else i + 2 - n)

entry before (n: i64) : [n]i64 =
  write n (\i -> if i + (n - 2) < n then i + (n - 2) else i + (n - 2) - n)

entry some (n: i64) (by: i64) : [n]i64 =
  write n (\i -> if i + by < n then i + by else i + by - n)
