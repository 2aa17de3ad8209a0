-- A constraint on a type parameter.
-- at 6
-- ==
-- error: there are no type classes; name a type such as f64, or take the operations as parameters: "\(plus: a -> a -> a\)"\.

def f 'a (Num a) (x: a) = x + 1
