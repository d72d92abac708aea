-- memory.db: by what facts are duplicates changed: signs say something, so `A+` is not `A-`. The numbers of all words are
-- made anew when the file is brought forward.

UPDATE memories SET plain_key = NULL;
