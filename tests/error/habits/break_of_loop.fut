-- A loop that ends early.
-- at 6
-- ==
-- error: a loop that ends early is written

def f (x: i32) = loop y = x for i < 3 do if y > 3 then break else y + 1
