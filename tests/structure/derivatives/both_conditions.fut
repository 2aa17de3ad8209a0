-- An array is updated where two conditions hold, the second of which reads it.  What the condition gives is kept, and so
-- are the numbers that the update reads: the array is not taken back, nothing is executed again.
-- structure sequential: loop 8, scratch 10
-- ==
-- input { [0.5, 1.5, -0.5, 2.0] 3i64 }
entry main [n] (x: [n]f64) (k: i64) =
  vjp (\y ->
         f64.sum (loop a = copy y for p < k do
                    loop a for q < k do
                      if p < q && a[p] > 0.2
                      then loop a for i < k do a with [i] = a[i] * a[q] * a[p]
                      else a)) x 1
