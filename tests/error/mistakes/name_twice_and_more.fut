-- Name twice and more.
-- at 6
-- ==
-- error: Name "a" also bound at.*Unknown name "u"

def f (a: i32) (a: i32) = a + u
