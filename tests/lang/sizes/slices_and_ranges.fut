-- The sizes of slices and ranges.
def s1 [n] (xs: [n]i32) (i: i64) (j: i64) : [j - i]i32 = xs[i:j]
def s2 [n] (xs: [n]i32) (j: i64) : ([j]i32, [j]i32, [n - j]i32) = (xs[:j], xs[0:j], xs[j:])
def s3 [n] (xs: [n]i32) : ([n]i32, [n]i32, [n]i32) = (xs[:], xs[::1], xs[::-1])
def s4 [n] (xs: [n]i32) (i: i64) (j: i64) : [i - j]i32 = xs[i:j:-1]
def s5 [n][m] (xss: [n][m]i32) : [n]i32 = xss[:, 0]
def r1 (n: i64) : ([n]i64, [n]i64, [n + 1]i64) = (0..<n, 0..1..<n, 0..<n + 1)
def r2 (a: i64) (b: i64) : ([b - a]i64, [b - a + 1]i64, [b]i64) = (a..<b, a...b, 1..2...b)
-- ==
-- input { [1, 2, 3, 4] }
-- output { [2, 3] [1] [2, 3, 4] [4, 3, 2, 1] [4, 3] [1, 1]
--          [0i64, 1i64] [0i64, 1i64, 2i64] [2i64, 3i64] [2i64, 3i64, 4i64] [1i64, 2i64, 3i64, 4i64] }
entry main [n] (xs: [n]i32) =
  let (a, _, b) = s2 xs 1
  let (_, _, c) = s3 xs
  let (d, _, e) = r1 2
  let (f, g, h) = r2 2 4
  in (s1 xs 1 3, a, b, c, s4 xs 3 1, s5 [xs, xs], d, e, f, g, h)
