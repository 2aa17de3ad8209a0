-- A type parameter with its quote.
-- at 6
-- ==
-- error: a type parameter is declared after the name

def id (x: 'a) : 'a = x
