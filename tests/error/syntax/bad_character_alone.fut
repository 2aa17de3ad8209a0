-- Where a character is no token, nothing is said of what is missing then.
-- at 7
-- ==
-- error: Unexpected character '@'

def f =
  @
