-- Segmented operations, and expansion of irregular work.
def segmented_scan [n] 't
    (op: t -> t -> t)
    (ne: t)
    (flags: [n]bool)
    (as: [n]t): *[n]t =
  (unzip
     (scan
        (\(x_flag, x) (y_flag, y) ->
           (x_flag || y_flag, if y_flag then y else x `op` y))
        (false, ne)
        (zip flags as))).1
def segmented_reduce [n] 't
    (op: t -> t -> t)
    (ne: t)
    (flags: [n]bool)
    (as: [n]t) =
  let as' = segmented_scan op ne flags as
  let segment_ends = rotate 1 flags
  let segment_end_offsets = segment_ends |> map i64.bool |> scan (+) 0
  let num_segments = if n > 1 then last segment_end_offsets else 0
  let scratch = replicate num_segments ne
  let index i f = if f then i - 1 else -1
  in scatter scratch (map2 index segment_end_offsets segment_ends) as'
def replicated_iota [n] (reps: [n]i64) : []i64 =
  let s1 = scan (+) 0 reps
  let s2 = map2 (\i x -> if i == 0 then 0 else x) (iota n) (rotate (-1) s1)
  let tmp =
    reduce_by_index (replicate (reduce (+) 0 reps) 0) i64.max 0 s2 (iota n)
  let flags = map (> 0) tmp
  in segmented_scan (+) 0 flags tmp
def segmented_iota [n] (flags: [n]bool) : [n]i64 =
  let iotas = segmented_scan (+) 0 flags (replicate n 1)
  in map (\x -> x - 1) iotas
def expand 'a 'b (sz: a -> i64) (get: a -> i64 -> b) (arr: []a) : []b =
  let szs = map sz arr
  let idxs = replicated_iota szs
  let iotas = segmented_iota (map2 (!=) idxs (rotate (-1) idxs))
  in map2 (\i j -> get arr[i] j) idxs iotas
def expand_reduce 'a 'b
    (sz: a -> i64)
    (get: a -> i64 -> b)
    (op: b -> b -> b)
    (ne: b)
    (arr: []a) =
  let szs = map sz arr
  let idxs = replicated_iota szs
  let flags = map2 (!=) idxs (rotate (-1) idxs)
  let iotas = segmented_iota flags
  let vs = map2 (\i j -> get arr[i] j) idxs iotas
  in segmented_reduce op ne flags vs
def expand_outer_reduce 'a 'b [n]
    (sz: a -> i64)
    (get: a -> i64 -> b)
    (op: b -> b -> b)
    (ne: b)
    (arr: [n]a) : [n]b =
  let sz' x = let s = sz x in if s == 0 then 1 else s
  let get' x i = if sz x == 0 then ne else get x i
  in expand_reduce sz' get' op ne arr :> [n]b

-- ==
-- entry: ss
-- input { } output { [1i32, 3i32, 6i32, 4i32, 9i32] }
entry ss =
  segmented_scan (+) 0 [true, false, false, true, false] [1, 2, 3, 4, 5]

-- ==
-- entry: sr
-- input { } output { [6i32, 9i32] }
entry sr =
  segmented_reduce (+) 0 [true, false, false, true, false] [1, 2, 3, 4, 5]

-- ==
-- entry: ri
-- input { } output { [0i64, 0i64, 1i64, 1i64, 1i64, 2i64, 4i64, 4i64, 4i64, 4i64] }
entry ri = replicated_iota [2, 3, 1, 0, 4]
type point = (i64, i64)
type line = (point, point)
def compare (a: i64) (b: i64) : i64 =
  if a < b then -1 else if a > b then 1 else 0
def points_in_line (((x1, y1), (x2, y2)): line) =
  1 + i64.max (i64.abs (x2 - x1)) (i64.abs (y2 - y1))
def get_point_in_line (((x1, y1), (x2, y2)): line) (i: i64) : point =
  let dx = compare x2 x1 let dy = compare y2 y1
  in (x1 + i * dx, y1 + i * dy)
def drawlines [h][w][n] (grid: *[h][w]i32) (lines: [n]line) : [h][w]i32 =
  let (xs, ys) = lines |> expand points_in_line get_point_in_line |> unzip
  let is = map2 (\x y -> w * y + x) xs ys
  let ones = map (const 1) xs
  in scatter (flatten grid) is ones |> unflatten

-- ==
-- entry: draw
-- input { }
-- output {
--   [[1i32, 0i32, 0i32, 0i32, 0i32, 0i32, 1i32], [0i32, 1i32, 0i32, 0i32, 0i32, 0i32, 1i32],
--   [0i32, 0i32, 1i32, 0i32, 0i32, 0i32, 1i32], [0i32, 0i32, 0i32, 1i32, 0i32, 0i32, 1i32],
--   [0i32, 1i32, 1i32, 1i32, 1i32, 1i32, 0i32]]
-- }
entry draw = drawlines
               (replicate 5 (replicate 7 0))
               [((0, 0), (4, 4)), ((6, 0), (6, 3)), ((1, 4), (5, 4))]

-- ==
-- entry: er
-- input { } output { [9i64, 0i64, 50i64, 0i64] }
entry er = expand_outer_reduce (\x -> x) (\x i -> x * i) (+) 0 [3, 0, 5, 1]
