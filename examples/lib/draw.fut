-- | Pictures as arrays of pixels: 0xAARRGGBB, the first row at the top.

-- | A colour of three numbers between 0 and 1.
def rgb (r: f64) (g: f64) (b: f64) : u32 =
  let level x = u32.f64 (255 * f64.max 0 (f64.min 1 x))
  in 0xff000000 | (level r << 16) | (level g << 8) | level b

-- | From blue (0) over white (0.5) to red (1).
def diverging (x: f64) : u32 =
  let t = f64.max 0 (f64.min 1 x)
  in if t < 0.5
     then rgb (0.2 + 1.5 * t) (0.35 + 1.2 * t) (0.75 + 0.4 * t)
     else rgb (1.15 - 0.3 * t) (1.6 - 1.3 * t) (1.55 - 1.25 * t)

-- | From black over red and yellow to white.
def heat (x: f64) : u32 = rgb (3 * x) (3 * x - 1) (3 * x - 2)

-- | A picture of a function of two coordinates, both between `low` and `high`.
def field (h: i64) (w: i64) (low: f64) (high: f64) (f: f64 -> f64 -> u32) : [h][w]u32 =
  let at n i = low + (high - low) * (f64.i64 i + 0.5) / f64.i64 n
  in tabulate_2d h w (\i j -> f (at w j) (at h (h - 1 - i)))

-- | Discs of the given colours at the given places, painted over a picture.
def discs [h] [w] [n]
          (picture: [h][w]u32)
          (low: f64)
          (high: f64)
          (radius: i64)
          (xs: [n]f64)
          (ys: [n]f64)
          (colours: [n]u32) : [h][w]u32 =
  let side = 2 * radius + 1
  let pixel m x = i64.f64 ((x - low) / (high - low) * f64.i64 m)
  let spot k e =
    let (di, dj) = (e / side - radius, e % side - radius)
    let (i, j) = (h - 1 - pixel h ys[k] + di, pixel w xs[k] + dj)
    in if di * di + dj * dj <= radius * radius then ((i, j), colours[k]) else ((-1, -1), 0)
  let spots = tabulate (n * (side * side)) (\e -> spot (e / (side * side)) (e % (side * side)))
  in scatter_2d (copy picture) (map (.0) spots) (map (.1) spots)
