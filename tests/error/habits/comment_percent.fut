-- A comment of Matlab.
-- at 6
-- ==
-- error: a comment begins with "--"

% comment
