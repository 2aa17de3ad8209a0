-- The copy of a filled row is filled with its size as it is known by then: as another variable.
-- ==
-- input { [1f64, 2f64] }
-- output { [2f64, 2f64] [2f64, 2f64] [0f64, 0f64] }
-- input { empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) }
def sums [n] (_: [n]f64) : [n]f64 =
  let two = (n + 5) / (n + 4) + 1
  let three = two + 1
  let row = copy (replicate (n + 1) (replicate three 0.5))[0]
  let bins = reduce_by_index row (+) 0 (map (\i -> (5 * i + 2) % (three + 1)) (iota 2))
                             (replicate 2 0.5)
  in map (\_ -> f64.sum bins) (iota n)

entry main [n] (x: [n]f64) =
  let (y, _) = jvp2 sums x x
  let (z, g) = vjp2 sums x (map (const 1) x)
  in (y, z, g)
