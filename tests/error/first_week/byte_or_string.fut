-- A string of one character, for a byte.
-- at 6
-- ==
-- error: a string is an array of bytes; a single byte is 'a'\.

def f (c: u8) = c == "a"
