-- Whitened distances under many covariance matrices of order three: factors as records, all formulas
-- written out.
type sym = {xx: f32, xy: f32, xz: f32, yy: f32, yz: f32, zz: f32}
type vec = (f32, f32, f32)

def covariance (m: [3][3]f32) : sym =
  let dot (i: i64) (j: i64) = m[i, 0] * m[j, 0] + m[i, 1] * m[j, 1] + m[i, 2] * m[j, 2]
  in {xx = dot 0 0 + 1, xy = dot 0 1, xz = dot 0 2, yy = dot 1 1 + 1, yz = dot 1 2, zz = dot 2 2 + 1}

def factor (a: sym) : sym =
  let xx = f32.sqrt a.xx
  let (xy, xz) = (a.xy / xx, a.xz / xx)
  let yy = f32.sqrt (a.yy - xy * xy)
  let yz = (a.yz - xy * xz) / yy
  let zz = f32.sqrt (a.zz - xz * xz - yz * yz)
  in {xx, xy, xz, yy, yz, zz}

def solve (l: sym) ((x, y, z): vec) : vec =
  let x = x / l.xx
  let y = (y - l.xy * x) / l.yy
  in (x, y, (z - l.xz * x - l.yz * y) / l.zz)

entry primal [n] (ms: [n][3][3]f32) (xs: [n][3]f32) : f32 =
  let one m (x: [3]f32) =
    let l = factor (covariance m)
    let (a, b, c) = solve l (x[0], x[1], x[2])
    in 0.5 * (a * a + b * b + c * c) + f32.log (l.xx * l.yy * l.zz)
  in f32.sum (map2 one ms xs) / f32.i64 n

entry gradient [n] (ms: [n][3][3]f32) (xs: [n][3]f32) : ([n][3][3]f32, [n][3]f32) =
  vjp (\(ms, xs) -> primal ms xs) (ms, xs) 1
