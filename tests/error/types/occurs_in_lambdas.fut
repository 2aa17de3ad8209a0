-- A type would contain itself through a parameter of a lambda: directly, in tuples, records, arrays,
-- functions in records.
-- at 8 9 10 11 12 13 14 15 16 17 18 19 20
-- ==
-- error: Occurs check

entry main (a: i32) =
  let f1 = \x -> x x
  let f2 = \k -> k (k, 1i32)
  let f3 = \x -> [x, [x]]
  let f4 = \x -> if a == 0 then x else {l = x}
  let f5 = \x -> loop y = x for _i < a do (y, y)
  let f6 = \g x -> g (g x) x
  let f7 = \x y -> x y == y x
  let f8 = (\x -> x.f x) {f = \_ -> a}
  let f9 = (\x -> (x.0 x).1) ((\p -> p), a)
  let f10 = (\t -> t.run t) {run = \s -> s.run s}
  let f11 = \(x, y) -> (y, x) == (x, (x, y))
  let f12 = (\f -> f (f, a)) (\(_, y) -> y)
  let f13 = \x -> x |> x
  in a
