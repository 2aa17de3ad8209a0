-- A constant with size parameters is a new value at each size that is not a constant itself.
-- ==
-- entry: main
-- input { 3i64 } output { [0f32, 0f32, 0f32] }

-- ==
-- entry: one of_parameter in_module
-- input { 3i64 } output { [1f32, 0f32, 0f32] }

-- ==
-- entry: pair
-- input { 2i64 } output { [5i64, 0i64] [0f32, 6f32] }

-- ==
-- entry: sum
-- input { 2i64 } output { [1f32, 0f32, 0f32] }

def zeros [n] : [n]f32 = replicate n 0

entry main (n: i64) : *[n]f32 = zeros

def with_one (n: i64) : *[n]f32 = zeros with [0] = 1

entry one n = with_one n

def like [n] (_: [n]f32) : *[n]f32 = let z : [n]f32 = zeros in z with [0] = 1

entry of_parameter n = like (replicate n 7)

module m : { val empty [n] : [n]f32 } = { def empty [n] : [n]f32 = replicate n 0 }

entry in_module (n: i64) : *[n]f32 =
  let z : [n]f32 = m.empty
  let z[0] = 1
  in z

def both [n] : ([n]i64, [n]f32) = (replicate n 0, replicate n 0)

entry pair (n: i64) =
  let (a: [n]i64, b: [n]f32) = both
  let a[0] = 5
  let b[1] = 6
  in (a, b)

entry sum (n: i64) : *[n + 1]f32 = zeros with [0] = 1
