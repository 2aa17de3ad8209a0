-- Anonymous sizes are inferred.
def g (xs: []i32) : [3]i32 = xs
def z (a: []i32) (b: []f32) = zip a b
-- ==
-- input { [1, 2, 3] } output { [1, 2, 3] [1, 2] [3f32, 4f32] }
entry main (xs: [3]i32) = let (p, q) = unzip (z [1, 2] [3, 4]) in (g xs, p, q)
