-- A size where a type is needed.
-- at 7
-- ==
-- error: Type argument .3. not valid for a type parameter "a"

type t 'a = [3]a
def f (x: t [3]) = x
