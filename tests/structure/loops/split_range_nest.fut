-- A window that is cut off where the sequence begins, summed over channels: two nests without branches.  The shift may
-- be any number: a nest without checks is for those that stay inside, and one with them for the rest.
-- structure soac,c: assert 1, loop 6
-- depth soac,c: if 0
-- ==
-- input { [1f64, 10f64] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 1i64 } output { [41f64, 93f64, 115f64] }
-- input { [1f64, 10f64] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 7i64 } output { [41f64, 52f64, 63f64] }
-- input { [1f64, 10f64] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] 0i64 } output { [82f64, 104f64, 126f64] }
-- input { [1f64, 10f64] [[1f64, 2f64, 3f64], [4f64, 5f64, 6f64]] -2i64 } error: Index \[3\] out of bounds
-- input { empty([0]f64) empty([0][3]f64) -2i64 } output { [0f64, 0f64, 0f64] }
entry main [c][t] (w: [c]f64) (x: [c][t]f64) (d: i64) : [t]f64 =
  tabulate t (\i -> f64.sum (map2 (\w x -> w * x[i] + (if i >= d then w * x[i - d] else 0)) w x))
