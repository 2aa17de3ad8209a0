-- A loop that is taken apart around a product calls a function that has loops as well.
-- ==
-- input { 4i64 } output { 0i64 }
def elem (i: i64) (j: i64) : f32 = f32.i64 ((i * 7 + j * 13) % 11 - 5)

entry main (n: i64) : i64 =
  loop bad = 0 for k < n do
    let a = tabulate_2d k 5 elem
    let b = tabulate_2d 5 9 elem
    let c = #[noinline] map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
    let d = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a
    let same (i: i64) (j: i64) = i64.sum (tabulate 5 (\k -> i64.f32 a[i, k] * i64.f32 b[k, j]))
    in bad + i64.sum (flatten (tabulate_2d k 9 (\i j ->
         i64.bool (i64.f32 c[i, j] != same i j) + i64.bool (i64.f32 d[i, j] != same i j))))
