-- A string in single quotes.
-- at 6
-- ==
-- error: strings are in double quotes

def f = 'abc'
