-- Registration of two pictures: one is warped by a smooth field of displacements with bilinear
-- reading, and compared; the field is penalised for not being smooth.
type point = {row: f32, col: f32}

def clamp (n: i64) (i: i64) : i64 = i64.min (n - 1) (i64.max 0 i)

def read [h][w] (image: [h][w]f32) (p: point) : f32 =
  let (fi, fj) = (f32.floor p.row, f32.floor p.col)
  let (u, v) = (p.row - fi, p.col - fj)
  let (i, j) = (i64.f32 fi, i64.f32 fj)
  let at a b = image[clamp h a, clamp w b]
  in (1 - u) * ((1 - v) * at i j + v * at i (j + 1)) + u * ((1 - v) * at (i + 1) j + v * at (i + 1) (j + 1))

def roughness [h][w] (f: [h][w]f32) : f32 =
  let down = map2 (map2 (-)) f[1:] f[:h - 1]
  let right = map (\row -> map2 (-) row[1:] row[:w - 1]) f
  in f32.sum (map (\r -> f32.sum (map (** 2) r)) down) + f32.sum (map (\r -> f32.sum (map (** 2) r)) right)

entry primal [h][w] (moving: [h][w]f32) (fixed: [h][w]f32) (di: [h][w]f32) (dj: [h][w]f32) : f32 =
  let error i j =
    let p: point = {row = f32.i64 i + di[i, j], col = f32.i64 j + dj[i, j]}
    in (read moving p - fixed[i, j]) ** 2
  let fit = f32.sum (map (\i -> f32.sum (map (error i) (iota w))) (iota h))
  in (fit + 0.1 * (roughness di + roughness dj)) / f32.i64 (h * w)

entry gradient [h][w]
               (moving: [h][w]f32) (fixed: [h][w]f32) (di: [h][w]f32) (dj: [h][w]f32)
             : ([h][w]f32, [h][w]f32) =
  vjp (\(di, dj) -> primal moving fixed di dj) (di, dj) 1
