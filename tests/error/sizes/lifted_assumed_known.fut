-- A function that takes an occurrence to have the size of another argument, which all have to have then.
-- at 10
-- ==
-- error: do not match

def app '~a (f: (() -> a) -> a) (x: () -> a) : a = f (\() -> f x)

entry main (xs: []i32) =
  app
    (\p -> filter (> 0) (map2 (+) xs (p ())))
    (\() -> xs)
