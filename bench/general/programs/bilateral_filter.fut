-- A bilateral filter with a window of five by five: weights by distance and by difference of
-- brightness; the error against a clean picture by the filter's two widths and the picture.
entry primal [h][w] (image: [h][w]f32) (clean: [h][w]f32) (widths: [2]f32) : f32 =
  let space = f32.exp widths[0]
  let range = f32.exp widths[1]
  let filtered i j =
    let c = image[i, j]
    let (num, den) =
      loop (num, den) = (0, 0) for di in -2..<3 do
        loop (num, den) for dj in -2..<3 do
          let v = image[i64.max 0 (i64.min (h - 1) (i + di)), i64.max 0 (i64.min (w - 1) (j + dj))]
          let k = f32.exp (-space * f32.i64 (di * di + dj * dj) - range * (v - c) * (v - c))
          in (num + k * v, den + k)
    in num / den
  let errors = tabulate_2d h w (\i j -> (filtered i j - clean[i, j]) ** 2)
  in f32.sum (map f32.sum errors) / f32.i64 (h * w)

entry gradient [h][w] (image: [h][w]f32) (clean: [h][w]f32) (widths: [2]f32) : ([h][w]f32, [2]f32) =
  vjp (\(i, w) -> primal i clean w) (image, widths) 1
