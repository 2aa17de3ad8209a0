-- A function that both branches of a choice evaluate is evaluated once, of what the branch that is
-- taken gives it.  A loop around goes in vectors, with its check of an index that is the same for
-- all iterations: the message is that of the first.
-- structure soac,seq,simplify: if 3, prim 41
-- structure soac,seq,simplify,join_calls: if 9, prim 38
-- ==
-- entry: sums
-- input { [1f32, 3f32, 2f32] } output { 3.4076059f32 }
-- input { empty([0]f32) } output { -f32.inf }
def add (top: f32, sum: f32) (x: f32) : (f32, f32) =
  if x <= top then (top, sum + f32.exp (x - top)) else (x, sum * f32.exp (top - x) + 1)

entry sums [n] (xs: [n]f32) : f32 =
  let (top, sum) = loop r = (-f32.inf, 0) for x in xs do add r x
  in top + f32.log sum

-- ==
-- entry: steps
-- input { 40i64 2i64 } output { 72.530467f32 }
-- input { 40i64 3i64 }
-- error: Index \[0, 3\] out of bounds for array of shape \[40\]\[3\]
-- input { 0i64 3i64 } output { 0f32 }
entry steps (n: i64) (at: i64) : f32 =
  let a = tabulate_2d 2 n (\i j -> f32.i64 (i + j % 2))
  let b = tabulate_2d n 3 (\i j -> f32.i64 (i * j / 2))
  in f32.sum (loop next = replicate n 0 for j < n do
                let (top, sum) = loop r = (-f32.inf, 0) for i < 2 do add r a[i, j]
                in next with [j] = top + f32.log sum + b[j, at] - f32.i64 j)
