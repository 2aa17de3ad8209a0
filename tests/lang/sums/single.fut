-- A sum with one constructor is irrefutable.
type meters = #meters f64
def add (#meters a: meters) (#meters b: meters) : meters = #meters (a + b)
-- ==
-- input { 1.0 2.0 } output { 3.0 }
entry main (a: f64) (b: f64) = let #meters r = add (#meters a) (#meters b) in r
