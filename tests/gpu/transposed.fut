-- Copies of transposed matrices of all shapes, in batches and of elements of all sizes.
-- ==
-- entry: main
-- input { 1i64 5000i64 } output { true }
-- input { 2i64 300i64 } output { true }
-- input { 3i64 2000i64 } output { true }
-- input { 8i64 1000i64 } output { true }
-- input { 20i64 333i64 } output { true }
-- input { 64i64 64i64 } output { true }
-- input { 65i64 200i64 } output { true }
-- input { 130i64 131i64 } output { true }
-- input { 2000i64 5i64 } output { true }

def same 't [n][m] (eq: t -> t -> bool) (at: i64 -> i64 -> t) (xss: [n][m]t) : bool =
  and (map2 (\i xs -> and (map2 (\j x -> eq x (at j i)) (iota m) xs)) (iota n) xss)

entry main (n: i64) (m: i64) : bool =
  let at i j = i * 10007 + j
  let a = copy (transpose (opaque (tabulate_2d n m at)))
  let b = copy (transpose (opaque (tabulate_2d n m (\i j -> i32.i64 (at i j)))))
  let c = copy (transpose (opaque (tabulate_2d n m (\i j -> u8.i64 (at i j)))))
  let d = copy (map transpose (opaque (tabulate_3d 3 n m (\k i j -> i16.i64 (at i j + k)))))
  in same (==) at a && same (==) (\i j -> i32.i64 (at i j)) b && same (==) (\i j -> u8.i64 (at i j)) c &&
     and (map2 (\k x -> same (==) (\i j -> i16.i64 (at i j + k)) x) (iota 3) d)
