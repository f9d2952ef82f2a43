-- Tags were kept and nothing asked for them.

drop table if exists tags;
