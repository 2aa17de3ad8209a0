-- What is known of a record type is shown.
-- at 6
-- ==
-- error: Expected: .b: .*, \.\.\..*Actual:   i32

def f = (\x -> x.b) 1i32
