-- Parts of a matrix that a loop overwrites, one less or one more each time: the return sweep computes where
-- their records lie, and logs no sizes: there are two logs.
-- structure soac: scratch 2
-- ==
-- entry: main check
-- input { [[1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 0.5, 1.5, 1.0], [3.0, 0.5, 1.0, 2.0, 0.25], [0.5, 2.0, 1.0, 1.0, 3.0],
--          [1.0, 1.5, 0.5, 2.0, 1.0]] }
-- output { [[3.0625, 4.0, 9.0, 2.0, 5.0],
--           [3.125, 2.75, 0.25, 3.0, 1.5],
--           [5.625, 1.25, 2.4375, 2.0, 0.125], [9.125, 2.25, 3.125, 2.5, 6.0], [13.625, 1.625, 1.15625, 5.625, 2.25]] }
def step [n] (a: [n][n]f64) : f64 =
  let a =
    loop a = copy a for j < n do
      let a = a with [j, j:] = map (\x -> x * x + 0.25 * a[j, j]) a[j, j:]
      in a with [:j, j] = map2 (\x y -> 0.5 * x * y) a[:j, j] a[j, :j]
  in f64.sum (map f64.sum a)

entry main [n] (a: [n][n]f64) : [n][n]f64 = vjp step a 1

-- Directional derivatives by forward mode.
entry check [n] (a: [n][n]f64) : [n][n]f64 =
  tabulate_2d n n (\i j -> jvp step a (tabulate_2d n n (\k l -> if k == i && l == j then 1 else 0)))
