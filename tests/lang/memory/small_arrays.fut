-- Arrays of a few elements: taken apart into scalars, or kept where that is not possible.

-- Carried by a loop, made by maps, read at constants.
-- ==
-- entry: rotate_vector
-- input { 4 } output { [0i64, 1i64] }
-- input { 1 } output { [-1i64, 0i64] }
-- input { 0 } output { [0i64, 1i64] }
entry rotate_vector (n: i32) : [2]i64 =
  loop v = [0, 1] for _i < n do [-v[1], v[0]]

-- ==
-- entry: power
-- input { 5 } output { [[8i64, 5i64], [5i64, 3i64]] }
entry power (n: i32) : [2][2]i64 =
  let mul (a: [2][2]i64) (b: [2][2]i64) : [2][2]i64 =
    map (\r -> map (\c -> i64.sum (map2 (*) r c)) (transpose b)) a
  in loop m = [[1, 0], [0, 1]] for _i < n do mul m [[1, 1], [1, 0]]

-- Indices and updates at places that are not known.
-- ==
-- entry: at_runtime
-- input { [2i64, 0i64, 1i64, 2i64] } output { [2i64, 3i64, 5i64] }
-- input { empty([0]i64) } output { [0i64, 0i64, 0i64] }
-- input { [3i64] } error: out of bounds
entry at_runtime [n] (is: [n]i64) : [3]i64 =
  (loop (v: *[3]i64, k) = ([0, 0, 0], 1) for i in is do (v with [i] = v[i] + k, k + 1)).0

-- Five elements are more than are compared with.
-- ==
-- entry: five
-- input { [4i64, 0i64, 4i64] } output { [1i32, 0i32, 0i32, 0i32, 2i32] }
entry five [n] (is: [n]i64) : [5]i32 =
  loop v = [0, 0, 0, 0, 0] for i in is do v with [i] = v[i] + 1

-- Branches, slices, concatenation, reshapes, in all directions.
-- ==
-- entry: views
-- input { true } output { [4i32, 3i32, 2i32, 1i32] [[1i32, 3i32], [2i32, 4i32]] 9i32 }
-- input { false } output { [2i32, 3i32, 4i32, 5i32] [[5i32, 3i32], [4i32, 2i32]] 9i32 }
entry views (b: bool) : ([4]i32, [2][2]i32, i32) =
  let v: [4]i32 = if b then [1, 2, 3, 4] else [5, 4, 3, 2]
  let w = v[2:] ++ v[:2]
  let m = transpose (unflatten (sized (2 * 2) v))
  in (reverse v, m, w[1] + w[0] + v[1])

-- Reductions of small arrays, scans, and operators that return an operand.
-- ==
-- entry: folds
-- input { [[1i32, 5i32], [3i32, 2i32], [2i32, 9i32]] }
-- output { [6i32, 16i32] [[1i32, 5i32], [4i32, 7i32], [6i32, 16i32]] [3i32, 2i32] }
entry folds (a: [3][2]i32) : ([2]i32, [3][2]i32, [2]i32) =
  (reduce (map2 (+)) [0, 0] a, scan (map2 (+)) [0, 0] a,
   reduce (\p q -> if p[0] > q[0] then p else q) [i32.lowest, 0] a)

-- The array that a reduction returns is one of its own.
-- ==
-- entry: owned
-- input { [[1i32, 2i32]] } output { [[1i32, 2i32]] [7i32, 2i32] }
entry owned (a: [1][2]i32) : ([1][2]i32, [2]i32) =
  let r = copy (reduce (\_ q -> q) [0, 0] a)
  in (a, r with [0] = 7)

-- Rows that are small arrays, in an array of unknown length.
-- ==
-- entry: rows
-- input { [[1f64, 2f64], [3f64, 4f64], [5f64, 6f64]] }
-- output { [[2f64, -1f64], [4f64, -3f64], [6f64, -5f64]] 91f64 }
entry rows [n] (a: [n][2]f64) : ([n][2]f64, f64) =
  (map (\r -> [r[1], -r[0]]) a, f64.sum (map (\r -> f64.sum (map (\x -> x * x) r)) a))

-- Sizes that turn out to be small, and a size that an assertion says is small.
-- ==
-- entry: coerced
-- input { [1i32, 2i32, 3i32] } output { [3i32, 2i32, 1i32] }
-- input { [1i32, 2i32] } error: .
entry coerced [n] (xs: [n]i32) : [3]i32 =
  let ys = xs :> [3]i32
  in loop v = ys for _i < 1i32 do [v[2], v[1], v[0]]

-- A loop of a few iterations around one of unknown length, and one in a function.
-- ==
-- entry: nested
-- input { 3 } output { [27i32, 10i32] }
def twice (v: [2]i32) : [2]i32 = loop v for i < 2 do [v[0] * 3, v[1] + i]
entry nested (n: i32) : [2]i32 =
  loop (v: [2]i32) = twice [3, 0] for i < 2i32 do loop v for j < n do [v[0], v[1] + i * j + 1]

-- Derivatives of functions on small arrays.
-- ==
-- entry: gradients
-- input { [3f64, 4f64] } output { [0.6f64, 0.8f64] [0.6f64, 0.8f64] }
entry gradients (x: [2]f64) : ([2]f64, [2]f64) =
  let length x = f64.sqrt (f64.sum (map (\a -> a * a) x))
  in (vjp length x 1, tabulate 2 (\i -> jvp length x (tabulate 2 (\j -> f64.bool (i == j)))))

-- Accumulators over small arrays, and integers beside.
-- ==
-- entry: counted
-- input { [1f64, 2f64, 3f64, 4f64] [0i64, 1i64, 1i64, 2i64] } output { [1f64, 5f64, 4f64] }
entry counted [n] (xs: [n]f64) (is: [n]i64) : [3]f64 =
  vjp (\w -> f64.sum (map2 (\x i -> x * w[i]) xs is)) [0, 0, 0] 1
