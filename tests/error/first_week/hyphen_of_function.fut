-- A function whose name has a hyphen.
-- at 6
-- ==
-- error: names consist of letters, digits, "_" and "'": "my_name"\.

def my-fun (x: i32) = x
