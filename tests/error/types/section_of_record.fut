-- What is applied and no name is not repeated in the message.
-- at 6
-- ==
-- error: Cannot apply function to "r"

def f (r: {a: i32}) = (.b) r + 1i32
