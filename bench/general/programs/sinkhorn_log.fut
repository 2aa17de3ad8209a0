-- Entropic optimal transport between two clouds of points by Sinkhorn's iterations in the log domain.
def logsumexp [n] (xs: [n]f32) : f32 =
  let m = f32.maximum xs
  in m + f32.log (f32.sum (map (\x -> f32.exp (x - m)) xs))

def cost [n][m][d] (x: [n][d]f32) (y: [m][d]f32) : [n][m]f32 =
  map (\a -> map (\b -> f32.sum (map2 (\u v -> (u - v) * (u - v)) a b)) y) x

-- The potential of one side, from that of the other.
def half [n][m] (eps: f32) (c: [n][m]f32) (g: [m]f32) : [n]f32 =
  let w = f32.log (f32.i64 m)
  in map (\row -> -eps * (logsumexp (map2 (\gj cij -> (gj - cij) / eps) g row) - w)) c

entry primal [n][m][d] (x: [n][d]f32) (y: [m][d]f32) (eps: f32) (steps: i64) : f32 =
  let c = cost x y
  let (f, g) =
    loop (_, g) = (replicate n 0, replicate m 0) for _i < steps do
      let f = half eps c g
      in (f, half eps (transpose c) f)
  in f32.sum f / f32.i64 n + f32.sum g / f32.i64 m

entry gradient [n][m][d] (x: [n][d]f32) (y: [m][d]f32) (eps: f32) (steps: i64) : [n][d]f32 =
  vjp (\x -> primal x y eps steps) x 1
