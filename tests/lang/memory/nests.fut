-- Map nests whose rows are computed where they end up.
-- ==
-- entry: mm
-- input { [[1.0,2.0],[3.0,4.0],[5.0,6.0]] [[1.0,0.5],[2.0,-1.0]] }
-- output { [[5.0,-1.5],[11.0,-2.5],[17.0,-3.5]] }

-- ==
-- entry: cube
-- input { 2i64 3i64 2i64 }
-- output { [[[0i64,1i64],[10i64,11i64],[20i64,21i64]],[[100i64,101i64],[110i64,111i64],[120i64,121i64]]] }

-- ==
-- entry: transposed
-- input { [[1i32,2i32,3i32],[4i32,5i32,6i32]] }
-- output { [[2i32,5i32],[3i32,6i32],[4i32,7i32]] }

-- ==
-- entry: rotated
-- input { [[[1i32,2i32],[3i32,4i32],[5i32,6i32]]] }
-- output { [[[2i32],[4i32],[6i32]],[[3i32],[5i32],[7i32]]] }

-- ==
-- entry: branches
-- input { [1.0,-2.0,3.0] }
-- output { [[2.0,-1.0,4.0],[1.0,-2.0,3.0],[4.0,1.0,6.0]] }

-- ==
-- entry: flat
-- input { [[1i32,2i32],[3i32,4i32]] }
-- output { [2i32,3i32,4i32,5i32] [2i32,3i32,4i32,5i32] }

entry mm [n][m][p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a

entry cube (n: i64) (m: i64) (k: i64) =
  tabulate_3d n m k (\i j l -> 100 * i + 10 * j + l)

entry transposed [n][m] (a: [n][m]i32) = transpose (map (map (+1)) a)

entry rotated [n][m][k] (a: [n][m][k]i32) : [k][m][n]i32 =
  transpose (map transpose (map (map (map (+1))) a |> transpose))

entry branches [n] (xs: [n]f64) =
  map (\x -> if x < 0 then copy xs else if x > 2 then map (+x) xs else map (+x) (map id xs)) xs

entry flat [n][m] (a: [n][m]i32) =
  let b = map (map (+1)) a
  in (flatten b, flatten (unflatten (flatten b)))
