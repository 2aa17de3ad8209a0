-- The acceleration of each body by the gravity of all.
def pull (x, y, z) (bx, by, bz, m) : (f32, f32, f32) =
  let (dx, dy, dz) = (bx - x, by - y, bz - z)
  let d2 = dx * dx + dy * dy + dz * dz + 1e-3f32
  let s = m / (d2 * f32.sqrt d2)
  in (s * dx, s * dy, s * dz)

def add (a, b, c) (d, e, f) : (f32, f32, f32) = (a + d, b + e, c + f)

entry main [n] (xs: [n]f32) (ys: [n]f32) (zs: [n]f32) (ms: [n]f32) : [n][3]f32 =
  map3 (\x y z ->
          let (ax, ay, az) = reduce add (0, 0, 0) (map (pull (x, y, z)) (zip4 xs ys zs ms))
          in [ax, ay, az])
       xs ys zs
