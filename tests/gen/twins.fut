-- Steps that several functions have in common, and in them loops that are there more than once: of
-- the function and its derivative, for one thread and for several.

def layer [n] (w: [n][n]f64) (x: [n]f64) : [n]f64 =
  map (\r -> f64.tanh (f64.sum (map2 (*) r x))) w

def walk [n] (k: i64) (w: [n][n]f64) (v: [n][n]f64) (x: [n]f64) : [n]f64 =
  loop x for _i < k do
    let a = layer w x
    let b = layer v a
    let c = layer w b
    in map2 (+) x (layer v c)

-- ==
-- entry: up
-- input { 3i64 [[0.5, 0.25], [-0.125, 1.0]] [[0.3, -0.5], [0.25, 0.75]] [[1.0, 2.0], [-0.5, 0.25], [0.1, 0.3]] }
-- output { [3.48408270911316, -0.1501744839642042, 0.637843667119073] }

entry up [m][n] (k: i64) (w: [n][n]f64) (v: [n][n]f64) (xs: [m][n]f64) : [m]f64 =
  map (\x -> f64.sum (walk k w v x)) xs

-- ==
-- entry: down
-- input { 3i64 [[0.5, 0.25], [-0.125, 1.0]] [[0.3, -0.5], [0.25, 0.75]] [[1.0, 2.0], [-0.5, 0.25], [0.1, 0.3]] }
-- output { [0.11453255743738844, -0.9986010405712195, -0.43394157681851087] }

entry down [m][n] (k: i64) (w: [n][n]f64) (v: [n][n]f64) (xs: [m][n]f64) : [m]f64 =
  map (\x -> f64.minimum (walk k w v x)) xs

-- ==
-- entry: gradient
-- input { 3i64 [[0.5, 0.25], [-0.125, 1.0]] [[0.3, -0.5], [0.25, 0.75]] [[1.0, 2.0], [-0.5, 0.25], [0.1, 0.3]] }
-- output { 
--   [[-1.3677292448395824, 2.748824183444823], [-0.6270175168258043, 0.8343368395022308]]
--   [[0.31846768386143665, 4.999907608820518], [-4.304264270197046e-2, 4.644519393058593]]
-- }

entry gradient [m][n] (k: i64) (w: [n][n]f64) (v: [n][n]f64) (xs: [m][n]f64) : ([n][n]f64, [n][n]f64) =
  vjp (\(w, v) -> f64.sum (up k w v xs)) (w, v) 1
