-- A name with a hyphen.
-- at 6
-- ==
-- error: names consist of letters, digits, "_" and "'": "my_name"\.

def f (x: i32) = let my-var = x in my-var
