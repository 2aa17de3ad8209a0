-- Elementwise application to several arrays.
-- ==
-- input { [1, 2] [10, 20] } output { [11, 22] [12, 24] [22, 44] [23, 46] }
entry main [n] (a: [n]i32) (b: [n]i32) =
  (map2 (+) a b, map3 (\x y z -> x + y + z) a b a, map4 (\x y z w -> x + y + z + w) a b a b,
   map5 (\x y z w v -> x + y + z + w + v) a b a b a)
