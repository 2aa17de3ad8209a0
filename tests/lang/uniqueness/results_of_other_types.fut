-- Parts of one result of types that cannot be the same memory do not share any.
-- ==
-- entry: unzipped
-- input { [1i64, 2i64] } output { [0i64, 3i64] [5i64, 4i64] }

-- ==
-- entry: looped
-- input { [1i64, 2i64] } output { [9i64, 0i64] [9i64, 1i64] }

-- ==
-- entry: scalars
-- input { 2i64 } output { [7i64, 1i64] [0f64, 1f64] }

-- ==
-- entry: loop_types
-- input { 2i64 } output { [7i64, 3i64] [2f64, 3f64] }

-- ==
-- entry: parameters
-- input { 2i64 } output { [7i64, 1i64] [0i64, 1i64] }

entry unzipped (xs: []i64) =
  let (a, b) = unzip (map (\x -> (x + 1, x * 2)) xs)
  let a[0] = 0
  let b[0] = 5
  in (a, b)

entry looped (xs: []i64) =
  let (a, b) = unzip (zip (map (const 0i64) xs) (map (const 1i64) xs))
  in loop (a, b) for i < 1i64 do (a with [i] = 9, b with [i] = 9)

#[noinline]
def both (n: i64) : ([]i64, []f64) = let a = iota n in (a, map f64.i64 a)

entry scalars n =
  let (a, b) = both n
  let a[0] = 7
  in (a, b)

entry loop_types (n: i64) =
  let (a, b) = loop (a, b) = (iota n, map f64.i64 (iota n)) for _i < 2i32 do (map (+ 1) a, map (+ 1) b)
  let a[0] = 7
  in (a, b)

-- in the function's own terms these are different types
#[noinline]
def swap 'a 'b (x: [](a, b)) : ([]b, []a) = let (p, q) = unzip x in (q, p)

entry parameters n =
  let (a, b) = swap (zip (iota n) (iota n))
  let a[0] = 7
  in (a, b)
