-- Arrays of records.
type particle = {pos: (f64, f64), mass: f64}
-- ==
-- input { [1.0, 2.0] [3.0, 4.0] } output { 3.0 [4.0, 6.0] }
entry main [n] (xs: [n]f64) (ys: [n]f64) =
  let ps = map2 (\x y : particle -> {pos = (x, y), mass = x}) xs ys
  in (f64.sum (map (.mass) ps), map (\p -> p.pos.0 + p.pos.1) ps)
