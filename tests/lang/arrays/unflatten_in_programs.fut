-- unflatten with sizes from elsewhere: the message has the sizes by value, interpreted and compiled,
-- also where it is used as a whole only.
-- ==
-- entry: rows
-- input { 2i64 [1, 2, 3, 4] } output { [3, 7] }
-- input { -2i64 [1, 2, 3, 4] } error: Cannot unflatten array of shape \[4\] to array of shape \[-2\]\[-2\]
-- input { 0i64 empty([0]i32) } output { empty([0]i32) }

-- ==
-- entry: whole
-- input { -1i64 -5i64 } error: Cannot unflatten array of shape \[5\] to array of shape \[-1\]\[-5\]
-- input { 1i64 5i64 } output { 10i64 }

-- ==
-- entry: four
-- input { 1i64 2i64 2i64 1i64 [1, 2, 3, 4] } output { [[[[1], [2]], [[3], [4]]]] }
-- input { -1i64 2i64 2i64 -1i64 [1, 2, 3, 4] } error: Cannot unflatten
-- input { 1i64 -2i64 -2i64 1i64 [1, 2, 3, 4] } error: Cannot unflatten

-- ==
-- entry: chosen
-- input { true -1i64 [1, 2] } output { [2, 4] }
-- input { false -1i64 [1, 2] } error: Cannot unflatten array of shape \[2\] to array of shape \[-1\]\[-2\]
-- input { false 1i64 [1, 2] } output { [1, 2] }

def square (k: i64) (xs: []i32) : [k][k]i32 = unflatten (xs :> [k * k]i32)

entry rows k xs = map i32.sum (square k xs)

entry whole (n: i64) (m: i64) = i64.sum (flatten (unflatten (iota (n * m))))

entry four (a: i64) (b: i64) (c: i64) (d: i64) (xs: []i32) =
  unflatten_4d (xs :> [a * b * c * d]i32)

-- not done in the branch that is not taken
entry chosen (skip: bool) (n: i64) (xs: [2]i32) : []i32 =
  if skip then map (* 2) xs else flatten (unflatten (xs :> [n * (2 * n)]i32))
