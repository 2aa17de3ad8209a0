-- What checked mode tells of, a function each.  Before an entry point: `--  INPUT` and, after an arrow, either the
-- message, which is at the entry point, or `fine`.  With another list of checks than the default: `[overflow]`.

--  [1i64, 2, 1] [1f64, 2, 3] => Index [1] is written twice by a scatter: row 0 writes 1.0, another one 3.0.
--  [1i64, 2, 1, 11, -1] [1f64, 2, 1, 5, 6] => fine
entry scattered [n] (is: [n]i64) (vs: [n]f64) : []f64 = scatter (replicate 10 0) is vs

--  [0i64, 1, 0] [2i64, 0, 2] [5i32, 6, 7] => Index [0, 2] is written twice by a scatter: row 0 writes 5, another one 7.
entry scattered_2d [n] (is: [n]i64) (js: [n]i64) (vs: [n]i32) : [][]i32 = scatter_2d (replicate 2 (replicate 3 0)) (zip is js) vs

--  [0i64, 1, 0] [[1f32, 2f32], [3f32, 4f32], [1f32, 5f32]] => Index [0] is written twice by a scatter: row 0 writes 2.0, another one 5.0.
--  [0i64, 1, 0] [[1f32, 2f32], [3f32, 4f32], [1f32, 2f32]] => fine
entry scattered_rows [n] (is: [n]i64) (vs: [n][2]f32) : [][]f32 = scatter (replicate 3 (replicate 2 0)) is vs

--  [0i64, 1, 0] [3i64, 4, 5] => Index [0] of an accumulator is written twice: 3 and 5.
--  [0i64, 1, 0] [3i64, 4, 3] => fine
entry streamed [n] (is: [n]i64) (vs: [n]i64) : []i64 = intrinsics.scatter_stream (replicate 3 9) (\acc (i, v) -> intrinsics.acc_write acc i v) (zip is vs)

--  [1i32, 2, 3] => The operator is not associative: op (op x y) z is -4, op x (op y z) is 2 for x = 1, y = 2, z = 3 (rows 0, 1, 2).
entry differences (xs: []i32) : []i32 = scan (-) 0 xs

--  [1f64, 2, 5] => The operator is not associative: op (op x y) z is 3.25, op x (op y z) is 2.25 for x = 1.0, y = 2.0, z = 5.0 (rows 0, 1, 2).
entry means (xs: []f64) : f64 = reduce (\a b -> (a + b) / 2) 0 xs

--  [1f64, 2] => The operator has a neutral element that is not neutral: op ne x is 2.0, x is 1.0 for x = 1.0 (row 0).
entry not_neutral (xs: []f64) : f64 = reduce (+) 1 xs

--  [1i64, 2] => The operator does not commute: op x y is 1, op y x is 2 for x = 1, y = 2 (rows 0, 1).
entry firsts (xs: []i64) : i64 = reduce_comm (\a b -> if a == 0 then b else a) 0 xs

--  [0i64, 0] [1i64, 2] => The operator does not commute: op x y is 1, op y x is 2 for x = 1, y = 2 (rows 0, 1).
entry first_of_bins [n] (is: [n]i64) (xs: [n]i64) : []i64 = reduce_by_index (replicate 2 0) (\a b -> if a == 0 then b else a) 0 is xs

-- Operators that are right, whatever is rounded, infinite or not a number.
--  [1e300f64, -1e300, 1, 1e-300, 3] => fine
--  [0.1f64, 0.2, 0.3, 1e16, -1e16] => fine
--  [f64.nan, 1, f64.inf, -f64.inf] => fine
entry right [n] (xs: [n]f64) : ([]f64, (f64, f64, i64), (f64, f64), f64, []f64, (i64, f64), f64) =
  (scan (+) 0 xs,
   reduce (\(a, b, c) (x, y, z) -> (f64.min a x, b + y, c + z)) (f64.inf, 0, 0) (zip3 xs xs (iota n)),
   reduce (\(a, b) (x, y) -> (a * x, b * x + y)) (1, 0) (map (\x -> (x / 1e200, x / 1e200)) xs),
   f64.maximum xs, map2 (+) xs xs,
   reduce (\(i, a) (j, b) -> if b < a || (a == b && j < i) then (j, b) else (i, a)) (n, f64.inf) (zip (iota n) xs),
   reduce (\a b -> if a < b then a else b) xs[0] xs)

--  4i64 1i64 => Element [1] of an array from #[scratch] is read before it is written.
--  4i64 2i64 => fine
entry unwritten (n: i64) (i: i64) : i32 = ((#[scratch] replicate n 0i32) with [0] = 5 with [2] = 7)[i]

--  3i64 2i64 => Element [2] of an array from #[scratch] is read before it is written.
--  3i64 3i64 => fine
entry unwritten_part (n: i64) (m: i64) : f64 = f64.sum (loop a = #[scratch] replicate n 0f64 for i < m do a with [i] = f64.i64 i)

--  2i64 1i64 => Element [0] of an array from #[scratch] is read before it is written.
--  2i64 2i64 => fine
entry unwritten_rows (n: i64) (m: i64) : []f64 = map f64.sum (loop a = #[scratch] replicate n (replicate n 0f64) for i < m do a with [i] = replicate n 1)

--  2f64 2i64 => Element [3] of an array from #[scratch] is read before it is written.
--  2f64 3i64 => fine
entry unwritten_gradient (x: f64) (m: i64) : f64 = vjp (\x -> (loop a = (#[scratch] replicate 4 0f64) with [0] = x for i < m do a with [i + 1] = a[i] * x)[3]) x 1

--  [overflow] 100000i32 100000i32 => Integer overflow: 100000 * 100000 does not fit i32.
--  [overflow] 10000i32 214748i32 => fine
entry products (a: i32) (b: i32) : i32 = a * b

--  [overflow] [9223372036854775807i64, 1] => Integer overflow: 9223372036854775807 + 1 does not fit i64.
entry sums (xs: []i64) : i64 = i64.sum xs

--  [overflow] -128i8 => Integer overflow: neg -128 does not fit i8.
entry negated (x: i8) : i8 = -x

--  [overflow] 4000000000u32 => fine
entry unsigned_ (x: u32) : u32 = x * x + 7

--  [1f64, 0, 2] => The first value that is not finite: log 0.0 is -f64.inf at [1].
--  [f64.inf, 1] => fine
entry logarithms (xs: []f64) : []f64 = map (\x -> f64.log x + 1) xs

--  [[1f64, 4f64], [9f64, -1f64]] => The first value that is not finite: sqrt -1.0 is f64.nan at [1, 1].
entry roots (xss: [][]f64) : []f64 = map (\xs -> f64.sum (map (\x -> f64.sqrt x) xs)) xss

--  [1e200f64, 1e200] => The first value that is not finite: 1.0e200 * 1.0e200 is f64.inf.
--  [0f64, f64.inf] => The first value that is not finite: 0.0 * f64.inf is f64.nan.
entry product (xs: []f64) : f64 = xs[0] * xs[1]

--  [3f64, 0] => The first value that is not finite: 1.0 / 0.0 is f64.inf at [1].
--  [3f64, 4] => fine
entry compared (xs: []f64) : []i32 = map (\x -> if 1 / x < 2 then 1 else 0) xs

--  [0f64, 0] => The first value that is not finite, in a derivative: 1.0 / 0.0 is f64.inf.
--  [3f64, 4] => fine
entry norm_gradient (xs: []f64) : []f64 = vjp (\xs -> f64.sqrt (f64.sum (map (\x -> x * x) xs))) xs 1

-- What a branch that is not taken would compute is nobody's NaN.
--  [0f64, 4] => fine
entry guarded (xs: []f64) : []f64 = map (\x -> if x == 0 then 0 else 1 / x) xs

--  1000f64 => A loop with #[bound(5)] goes on after 5 iterations.
--  8f64 => fine
entry bounded (x: f64) : f64 = #[bound(5)] loop y = x while y > 1 do y / 2

--  [1f64] 4i64 => Index [4] out of bounds for array of shape [1].
entry unsafe_ (xs: []f64) (i: i64) : f64 = #[unsafe] xs[i]

-- Operators inside of others are tried in one row of 16.
--  [1f64, 2, 5] => The operator is not associative: op (op x y) z is -38.0, op x (op y z) is 36.0 for x = 33.0, y = 34.0, z = 37.0 (rows 0, 1, 2).
entry inner_operator [n] (xs: [n]f64) : []f64 = map (\i -> reduce (\a b -> if i < 32 then a + b else a - b) 0 (map (+ f64.i64 i) xs)) (iota 64)

-- Likewise two deep, and where rows add to an accumulator.
--  [1f64, 2, 5] => The operator is not associative: op (op x y) z is -38.0, op x (op y z) is 36.0 for x = 33.0, y = 34.0, z = 37.0 (rows 0, 1, 2).
entry inner_operator_deep [n] (xs: [n]f64) : [][]f64 = map (\j -> map (\i -> reduce (\a b -> if i + j < 32 then a + b else a - b) 0 (map (+ f64.i64 (i + j)) xs)) (iota 64)) (iota 16)

--  [1i64, 2, 5] [0i64, 1] => The operator is not associative: op (op x y) z is -6, op x (op y z) is 4 for x = 1, y = 2, z = 5 (rows 0, 1, 2).
entry inner_operator_adds [n][m] (xs: [n]i64) (is: [m]i64) : []i64 = intrinsics.scatter_stream (replicate 2 9) (\acc i -> intrinsics.acc_write acc i (reduce (-) 0 (map (* (i + 1)) xs))) is

-- What operators compute and do not show.
--  [200f64, 3, 5] => The first value that is not finite: log -97.0 is f64.nan
--  [1f64, 2, 3] => fine
entry hidden_in_operator (xs: []f64) : f64 = reduce_comm (\a b -> let s = f64.sum (map (\i -> f64.log (b - a + 100 + f64.i64 i * 0) + f64.i64 i) (iota 3)) in if s > 1e9 then a else f64.max a b) 0 xs

-- Products that nothing needs are no fault, one row after the other.
--  [1e200f64, 1e200, 10] [0f64, 1e308, 0] => The first value that is not finite: 1.0e308 * 10.0 is f64.inf
--  [1e200f64, 1e200, 1] [0f64, 1e308, 0] => fine
entry second_of_pairs [n] (xs: [n]f64) (ys: [n]f64) : [n]f64 = (unzip (scan (\(a, b) (x, y) -> (a * x, b * x + y)) (1, 0) (zip xs ys))).1

-- Bins are looked at when all is counted, and what falls outside of them when it is computed.
--  [0i64, 1, 1] [1f64, 1e308, 1e308] => The first value that is not finite: 1.0e308 + 1.0e308 is f64.inf
--  [0i64, 1, 5] [1f64, 1e308, 1e308] => fine
--  [0i64, 1, 5] [1f64, 2, 0] => The first value that is not finite: 1.0 / 0.0 is f64.inf at [2].
entry counted [n] (is: [n]i64) (xs: [n]f64) : []f64 = reduce_by_index (replicate 2 0) (+) 0 is (map (\x -> if x > 2 then x else 1 / x) xs)

--  [0i64, 1, 1] [[1f64, 1], [1e308, 1], [1e308, 1]] => The first value that is not finite: 1.0e308 + 1.0e308 is f64.inf
--  [0i64, 1, 5] [[1f64, 1], [1e308, 1], [1e308, 1]] => fine
entry counted_rows [n] (is: [n]i64) (xs: [n][2]f64) : [][]f64 = reduce_by_index (replicate 2 (replicate 2 0)) (map2 (+)) (replicate 2 0) is xs

-- A maximum that begins as infinite is none after the loop.
--  [3f64, 1e200] [1f64] => The first value that is not finite: 1.0e200 * 1.0e200 is f64.inf at [1].
--  [3f64, 4] [1f64] => fine
entry after_infinite [n] (xs: []f64) (ys: [n]f64) : []f64 = map (\x -> let top = loop s = -f64.inf for i < n do (if x + ys[i] > s then x + ys[i] else s) in f64.tanh (top * top)) xs

-- An operator that has one inside.
--  [[1f64, 2f64], [3f64, 4f64]] => fine
entry nested_operator (x: [2][2]f64) : [][]f64 = reduce (\(a: [2][2]f64) b -> map (\r -> map (\c -> reduce (\p q -> p + q * 1) 0 (map2 (*) r c)) (transpose b)) a) [[1, 0], [0, 1]] [x, x, x]

-- What a derivative adds to an array is looked at there, and looked for in the rows.
--  [0i64, 1, 2] [1f64, 0, 2] => The first value that is not finite, in a derivative: 1.0 / 0.0 is f64.inf at [1].
--  [0i64, 2, 2] [1f64, 0, 2] => fine
entry added [n][m] (is: [n]i64) (w: [m]f64) : [m]f64 = vjp (\w -> f64.sum (map (\i -> f64.sqrt w[i]) is)) w 1

-- Likewise in strips of rows, the others being in the array already.
--  [[1f64,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8]] => The first value that is not finite, in a derivative: 1.0 / 0.0 is f64.inf at [
--  [[1f64,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,0],[1,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8]] => The first value that is not finite, in a derivative: 1.0 / 0.0 is f64.inf at [
--  [[1f64,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8]] => fine
entry added_in_strips [k][n] (xs: [k][n]f64) : [k][n]f64 = vjp (\xs -> f64.sum (map (\x -> (loop a = replicate (k + 1) 1f64 for i < k do loop b = replicate (k + 1) 1f64 for j < k do b with [j + 1] = f64.exp (b[j] - a[j]) + f64.sqrt (x[i] * a[j + 1]))[k]) (transpose xs))) xs 1

-- ... and in an array that the others were added to before.
--  [0f64, 1] [[1f64,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8]] => The first value that is not finite, in a derivative: 1.0 / 0.0 is f64.inf at [
--  [2f64, 1] [[1f64,2,3,4,5,6,7,8,9,0,1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8]] => The first value that is not finite, in a derivative: 1.0 / 0.0 is f64.inf at [
--  [2f64, 1] [[1f64,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8],[1,2,3,4,5,6,7,8,9,1,1,2,3,4,5,6,7,8]] => fine
entry shared_in_strips [k][n] (w: [k]f64) (xs: [k][n]f64) : [k]f64 = vjp (\w -> f64.sum (map (\x -> (loop a = replicate (k + 1) 1f64 for i < k do loop b = replicate (k + 1) 1f64 for j < k do b with [j + 1] = f64.exp (b[j] - a[j]) + f64.sqrt (w[i] * x[i] * a[j + 1]))[k]) (transpose xs))) w 1

-- ... and in arrays that a loop carries, as long as the rows that are added to them.
--  [1f64, 0, 2] 2i64 => The first value that is not finite, in a derivative: 1.0 / 0.0 is f64.inf at [1, 0, 1].
--  [1f64, 3, 2] 2i64 => fine
entry added_in_loop [n] (xs: [n]f64) (k: i64) : [n]f64 = vjp (\xs -> f64.sum (loop ys = xs for i < k do map (\y -> f64.sum (map (\x -> if i == 0 then f64.sqrt (x * y) else x) ys)) ys)) xs 1

--  [1f64, 2, 1e308] [0i64, 1, 1] => The first value that is not finite: 1.0e308 + 1.0e308 is f64.inf at [0].
--  [1f64, 2, 1e307] [0i64, 1, 1] => fine
entry added_up_in_loop [n] (ws: [n]f64) (is: [n]i64) : [n]f64 = vjp (\xs -> loop s = 0 for i < 2 do s + f64.sum (map2 (\j w -> xs[j] * ws[2] + w) is ws)) ws 1

-- ... and in matrices that a loop carries, to which each row of a batch adds.
--  [[1f64, 2], [3, 1e200]] [[1f64, 0], [2, 4]] 1e200 => The first value that is not finite, in a derivative: 1.0e200 * 4.0e200 is f64.inf at [0, 1, 0, 1].
--  [[1f64, 2], [3, 4]] [[1f64, 0], [2, 4]] 1e200 => fine
entry batch_in_loop [b][d] (xs: [b][d]f64) (w: [d][d]f64) (seed: f64) : [d][d]f64 = vjp (\w -> f64.sum (flatten (loop ys = xs for _i < 2 do map (\y -> map (\r -> f64.sum (map2 (*) y r)) w) ys))) w seed

-- A number that a loop gives is looked at after the loop, unless it may begin as infinite.
--  [3f64, 1e200] [1f64, 1e200] => The first value that is not finite: 1.0e200 * 1.0e200 is f64.inf at [1, 1].
--  [3f64, 4] [5f64] => fine
entry hidden_in_loop [n] (xs: []f64) (ys: [n]f64) : []f64 = map (\x -> f64.tanh (loop s = 1 for i < n do s + x * ys[i])) xs

--  [3f64, 1e200] [1f64, 1e200] => fine
entry begins_infinite [n] (xs: []f64) (ys: [n]f64) : []f64 = map (\x -> f64.tanh (loop s = -f64.inf for i < n do f64.max s (x + ys[i]))) xs

-- Sums of a derivative inside of a map are looked at after it, and looked for in the rows.
--  1e308f64 [0i64, 1, 0] [[0.1f64, 0.2, 0.3]] => The first value that is not finite: 1.0e308 + 1.0e308 is f64.inf
--  1e307f64 [0i64, 1, 0] [[0.1f64, 0.2, 0.3]] => fine
entry hidden_sums [n][m] (c: f64) (is: [m]i64) (ws: [n][3]f64) : [n]f64 = map (\w -> f64.tanh (vjp (\w -> f64.sum (map (\i -> w[i] * c) is)) w 1)[0]) ws

-- #[true_dep] is not believed: elements are overwritten after they were read.
--  [0.7f64, -1.3, 2.1] [0i64, 1, 0, 2, 1, 0] => An array with #[true_dep] is overwritten after it was read at [0]: that was -1.2610536793692766e-2, and is -4.2539473794070595e-2 after the loop.
--  [0.7f64, -1.3, 2.1] [1i64, 0] => fine
entry not_true [n][m] (x: [n]f64) (is: [m]i64) : []f64 = vjp (\x -> f64.sum (loop (#[true_dep] a) = copy x for i < m do a with [is[i]] = f64.sin (1.5 * a[(is[i] + 1) % n]))) x 1

-- Likewise in a map that the return sweep executes again.
--  [0.3f64, 0.6, 0.9] [2i64, 0, 1] => An array with #[true_dep] is overwritten after it was read at [1]: that was 0.6, and is 2.809245305315271e-3 after the loop.
--  [0.3f64, 0.6, 0.9] [3i64, 4, 5] => fine
entry not_true_in_map [n] (x: [n]f64) (is: [n]i64) : []f64 = vjp (\x -> f64.sum (loop (#[true_dep] a) = x ++ x for i < n do a with [is[i]] = f64.sin (f64.product (map (\k -> a[(i + k) % n]) (iota n))))) x 1

-- Likewise where all of the array is read.
--  [0.3f64, 0.6, 0.9] [3i64, 4, 5] => An array with #[true_dep] is overwritten after it was read at [5].
--  [0.3f64, 0.6, 0.9] [3i64] => An array with #[true_dep] is overwritten after it was read at [3].
entry not_true_of_all [n][m] (x: [n]f64) (is: [m]i64) : []f64 = vjp (\x -> f64.sum (loop (#[true_dep] a) = x ++ x for i < m do a with [is[i]] = f64.sin (f64.sum (map f64.sin a)))) x 1

-- Likewise as part of a concatenation, transposed, and flattened.
--  [0.3f64, 0.6] [0i64, 1] => An array with #[true_dep] is overwritten after it was read at [1].
--  [0.3f64, 0.6] empty([0]i64) => fine
entry not_true_joined [n][m] (x: [n]f64) (is: [m]i64) : []f64 = vjp (\x -> f64.sum (loop (#[true_dep] a) = copy x for i < m do a with [is[i]] = f64.sin (f64.sum (map f64.sin (a ++ x))))) x 1

--  [[0.3f64, 0.6], [0.9, 0.1]] [0i64, 1] => An array with #[true_dep] is overwritten after it was read.
--  [[0.3f64, 0.6], [0.9, 0.1]] empty([0]i64) => fine
entry not_true_transposed [n][m] (x: [n][n]f64) (is: [m]i64) : [][]f64 = vjp (\x -> f64.sum (flatten (loop (#[true_dep] a) = copy x for i < m do a with [is[i], 0] = f64.sin (f64.sum (map (\r -> r[0] * r[1]) (transpose a)))))) x 1

--  [[0.3f64, 0.6], [0.9, 0.1]] [0i64, 1] => An array with #[true_dep] is overwritten after it was read.
--  [[0.3f64, 0.6], [0.9, 0.1]] empty([0]i64) => fine
entry not_true_flattened [n][m] (x: [n][n]f64) (is: [m]i64) : [][]f64 = vjp (\x -> f64.sum (flatten (loop (#[true_dep] a) = copy x for i < m do a with [is[i], 0] = f64.sin (f64.sum (map f64.sin (flatten a)))))) x 1
