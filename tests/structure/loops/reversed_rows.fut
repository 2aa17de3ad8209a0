-- Loops that go backwards through a triangle whose size is a number: where they run, they are inside of it.
-- structure soac: assert 2
-- ==
-- input { [1f64, 2f64, 3f64, 4f64, 5f64, 6f64, 7f64, 8f64, 9f64] 3i64 } output { 19f64 }
-- input { empty([0]f64) 0i64 } output { 0f64 }
-- input { [1f64] -1i64 } error: unflatten
entry main [n] (x: [n]f64) (k: i64) : f64 =
  let most = i64.max k 0
  let a = unflatten (x :> [k * k]f64)
  in loop s = 0 for j < most do
       let i = most - 1 - j
       let below = k - (i + 1)
       in loop s for j < below do s + a[below - 1 - j + (i + 1), i]
