-- The type of a parameter would mention one that comes after it.
-- at 7
-- ==
-- error: Note: Unknown size "n" in parameter of "f": "g" comes before "n"

def ok n g : i64 = g (iota n)
def f g n : i64 = g (iota n) + ok n g
