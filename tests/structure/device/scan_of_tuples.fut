-- The adjoint of a scan whose components depend on each other (here: products of complex numbers) is a
-- scan of its own, whose operator reads no arrays: blocks of threads do both.
-- structure soac,gpu: loop.blocks 2, loop.threads 2
-- ==
-- input { [1f64, 2f64, 0.5f64, -1f64] [0.5f64, -1f64, 1f64, 0.25f64] }
-- output { [25.65625f64, 6.421875f64, 15.9375f64, -3.4375f64] [-1.1875f64, -9.96875f64, 2.34375f64, 10f64] }
def times (a: f64, b: f64) (c: f64, d: f64) = (a * c - b * d, a * d + b * c)

def value [n] (re: [n]f64) (im: [n]f64) : f64 =
  let (x, y) = unzip (scan times (1, 0) (zip re im))
  in f64.sum (map2 (\u v -> u * u + 0.5 * v) x y)

entry main [n] (re: [n]f64) (im: [n]f64) : ([n]f64, [n]f64) =
  vjp (\(r, i) -> value r i) (re, im) 1
