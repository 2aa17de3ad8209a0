-- Waves on a torus by rotations of the whole field: two states go around, the speed differs from place
-- to place; what arrives at a detector.
def laplacian [n][m] (u: [n][m]f32) : [n][m]f32 =
  let up = rotate 1 u
  let down = rotate (-1) u
  let left = map (rotate 1) u
  let right = map (rotate (-1)) u
  let sides = map2 (map2 (+)) left right
  in map4 (map4 (\a b c d -> a + b + c - 4 * d)) up down sides u

entry primal [n][m] (speed: [n][m]f32) (u0: [n][m]f32) (detector: [n][m]f32) (steps: i64) : f32 =
  let (_, _, seen) =
    loop (old, now, seen) = (u0, u0, 0) for _t < steps do
      let next =
        map4 (map4 (\o u c l -> 2 * u - o + c * c * l)) old now speed (laplacian now)
      let value = f32.sum (map2 (\d u -> f32.sum (map2 (*) d u)) detector next)
      in (now, next, seen + value * value)
  in seen / f32.i64 steps

entry gradient [n][m]
               (speed: [n][m]f32) (u0: [n][m]f32) (detector: [n][m]f32) (steps: i64) : [n][m]f32 =
  vjp (\c -> primal c u0 detector steps) speed 1
