-- Rows that loop are too few for threads, but the short sums in them are many: a thread does each of these (1000 rows of
-- up to 3 elements), a block each of the others.
-- ==
-- input { 3i64 [[1f32, 2f32, 1f32], [0f32, 1f32, 2f32]] } output { true }
-- input { 1000i64 [[1f32, 2f32, 1f32], [0f32, 1f32, 2f32]] } output { true }
-- input { 1000i64 [[2f32], [1f32], [1f32]] } output { true }
-- input { 1000i64 [[1f32, 2f32, 1f32, 0f32, 1f32, 2f32, 1f32, 0f32, 1f32, 2f32], [1f32, 2f32, 1f32, 0f32, 1f32, 2f32, 1f32, 0f32, 1f32, 2f32]] } output { true }
-- input { 0i64 [[1f32, 2f32, 1f32]] } output { true }
-- input { 1000i64 empty([0][2]f32) } output { true }
def start (i: i64) (j: i64) : f32 = f32.i64 ((i * 5 + j * 3) % 7)

def rows [k][d] (n: i64) (ls: [k][d]f32) : [n](f32, f32) =
  tabulate n (\i ->
                let (x, s) =
                  loop (x, s) = (tabulate d (start i), 0) for l in ls do
                    let y = map2 (\a b -> a * b + 1) x l
                    in (y, s + f32.sum y)
                in (s, f32.maximum x))

def expected [k][d] (ls: [k][d]f32) (i: i64) : (f32, f32) =
  let (s, m) = (0, -f32.inf)
  in loop (s, m) for j < d do
       let (x, t) =
         loop (x, t) = (start i j, 0) for q < k do
           let y = x * ls[q, j] + 1
           in (y, t + y)
       in (s + t, f32.max m x)

entry main [k][d] (n: i64) (ls: [k][d]f32) : bool =
  and (map2 (==) (rows n ls) (tabulate n (expected ls)))
