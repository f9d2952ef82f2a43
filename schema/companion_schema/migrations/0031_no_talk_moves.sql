-- Changes of state of a conversation were written down and shown nowhere.

drop table talk_moves;
