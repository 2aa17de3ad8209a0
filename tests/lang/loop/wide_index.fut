-- The index has the type of the bound.
-- ==
-- input { 3u8 } output { 3u8 }
entry main (n: u8) : u8 = loop s = 0 for i < n do s + i
