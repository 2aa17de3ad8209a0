-- Functions of the unit value.
def five () : i32 = 5
-- ==
-- input { } output { 5 }
entry main = five ()
