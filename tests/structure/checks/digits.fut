-- Places that are computed from the digits of an index: each digit is below its size, also the last one, which is below
-- what the divisions before leave of the product; the place is then in bounds, with strides and conditions too.  What
-- is left to check is the product itself, and that its parts are not 0.
-- structure soac: assert 15
-- ==
-- entry: digits
-- input { [[[[1f32], [2f32]]], [[[3f32], [4f32]]]] [10f32, 20f32] }
-- output { [11f32, 12f32, 21f32, 22f32, 13f32, 14f32, 23f32, 24f32] }
-- input { empty([0][1][2][1]f32) [10f32] } output { empty([0]f32) }
-- input { empty([1][1][0][1]f32) [10f32] } output { empty([0]f32) }
entry digits [b][c][h][w][o] (x: [b][c][h][w]f32) (y: [o]f32) : []f32 =
  let xs = flatten (flatten_3d x)
  in tabulate (b * o * h * w) (\p ->
                                 let (j, p) = (p % w, p / w)
                                 let (i, p) = (p % h, p / h)
                                 let (f, n) = (p % o, p / o)
                                 in loop s = y[f] for k < c do s + xs[((n * c + k) * h + i) * w + j])

-- ==
-- entry: strides
-- input { [[[1f32, 2f32, 3f32, 4f32], [5f32, 6f32, 7f32, 8f32], [1f32, 2f32, 3f32, 4f32], [5f32, 6f32, 7f32, 8f32]]] [0f32] }
-- output { [6f32, 10f32, 6f32, 16f32] }
entry strides [b][h][w][o] (x: [b][h][w]f32) (y: [o]f32) : []f32 =
  let xs = flatten_3d x
  let (h2, w2) = (h / 2, w / 2)
  in tabulate (b * o * h2 * w2) (\p ->
                                   let (j, p) = (p % w2, p / w2)
                                   let (i, p) = (p % h2, p / h2)
                                   let (f, n) = (p % o, p / o)
                                   let at u v =
                                     if u < 0 || u >= h || v < 0 || v >= w then 0 else xs[(n * h + u) * w + v]
                                   in y[f] + at (2 * i + 1) (2 * j + 1) + at (2 * i - 1) (2 * j - 1) + at (2 * i) (2 * j - 1)
                                      - at (2 * i + 1) (2 * j) * 0 + at (2 * i) (2 * j + 2) * 0 + at (2 * i - 1) (2 * j) * 0)

-- A digit too few, and a place too far: these are checked, and fail.
-- ==
-- entry: few
-- input { [[1f32, 2f32], [3f32, 4f32]] [10f32] } output { [1f32, 2f32, 3f32, 4f32] }
-- input { [[1f32, 2f32], [3f32, 4f32]] [10f32, 20f32] } error: out of bounds
entry few [b][w][o] (x: [b][w]f32) (_: [o]f32) : []f32 =
  let xs = flatten x
  in tabulate (b * o * w) (\p -> let (j, n) = (p % w, p / w) in xs[n * w + j])

-- ==
-- entry: far
-- input { [[1f32, 2f32], [3f32, 4f32]] [10f32] } error: out of bounds
entry far [b][w][o] (x: [b][w]f32) (y: [o]f32) : []f32 =
  let xs = flatten x
  in tabulate (b * o * (w / 2)) (\p ->
                                   let (j, p) = (p % (w / 2), p / (w / 2))
                                   let (f, n) = (p % o, p / o)
                                   in y[f] + xs[n * w + 2 * j + 2])
