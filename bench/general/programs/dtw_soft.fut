-- The smooth distance of pairs of series under warping of time: a table filled row by row, each row by
-- a loop that writes in place.
def softmin (g: f32) (a: f32) (b: f32) (c: f32) : f32 =
  let m = f32.min a (f32.min b c)
  in m - g * f32.log (f32.exp ((m - a) / g) + f32.exp ((m - b) / g) + f32.exp ((m - c) / g))

def distance [n][m] (g: f32) (xs: [n]f32) (ys: [m]f32) : f32 =
  let far = 1e6f32
  let first = map (\j -> if j == 0 then 0 else far) (iota (m + 1))
  let last =
    loop above = first for x in xs do
      loop row = replicate (m + 1) far for j < m do
        let d = (x - ys[j]) * (x - ys[j])
        in row with [j + 1] = d + softmin g above[j] above[j + 1] row[j]
  in last[m]

entry primal [b][n][m] (xs: [b][n]f32) (ys: [b][m]f32) (g: f32) : f32 =
  f32.sum (map2 (distance g) xs ys) / f32.i64 b

entry gradient [b][n][m] (xs: [b][n]f32) (ys: [b][m]f32) (g: f32) : [b][n]f32 =
  vjp (\x -> primal x ys g) xs 1
