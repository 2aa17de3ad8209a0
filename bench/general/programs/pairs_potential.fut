-- The energy of charges that act on each other, softened at short distances: all pairs.
def square (x: f32) : f32 = x * x

entry primal [n] (pos: [n][3]f32) (charge: [n]f32) : f32 =
  let pair p q (a: f32) (b: f32) =
    a * b / f32.sqrt (square (p[0] - q[0]) + square (p[1] - q[1]) + square (p[2] - q[2]) + 0.01)
  let at i =
    f32.sum (map (\j -> if i == j then 0 else pair pos[i] pos[j] charge[i] charge[j]) (iota n))
  in 0.5 * f32.sum (map at (iota n)) / f32.i64 n

entry gradient [n] (pos: [n][3]f32) (charge: [n]f32) : ([n][3]f32, [n]f32) =
  vjp (\(pos, charge) -> primal pos charge) (pos, charge) 1
