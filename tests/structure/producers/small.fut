-- Small arrays of constant size stay in registers.
-- structure soac,c: alloc 0
-- ==
-- input { 1f64 2f64 3f64 } output { 0.0f64 }
def cross (a: [3]f64) (b: [3]f64) : [3]f64 =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

entry main (x: f64) (y: f64) (z: f64) : f64 =
  let c = cross [x, y, z] (cross [y, z, x] [z, x, y])
  in c[0] + c[1] + c[2]
