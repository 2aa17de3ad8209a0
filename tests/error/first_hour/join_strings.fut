-- Strings joined by a plus sign.
-- at 6
-- ==
-- error: "\+\+" joins strings, which are arrays of bytes\.

def f (x: i64) = "a" + "b"
