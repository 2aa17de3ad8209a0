-- A literal that is indexed.
-- at 6
-- ==
-- error: an index follows its array without a space: "\("a"\)\[0\]"\.

def f = "a"[0] == "a"
