-- Fields that begin with an underscore cannot stand in record patterns, with a pattern or without.
-- at 6 7 8 9
-- ==
-- error: Fields prefixed with underscore

def short (x: i32) = let {_a} = {_a = x} in x
def long (x: i32) = let {_a = y} = {_a = x} in y
def param {_a = _, b = b: i32} = b
def in_case (r: {_a: i32}) = match r case {_a = 1} -> 2i32 case _ -> 3
