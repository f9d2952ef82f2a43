"""What a language model may add to the rules' reading of a conversation; pure, and believed in nothing by itself.

`asking` shows it the talk in bounded parts, as data; `claims` reads its replies; `believing` keeps of them what rests
on words that were really said and meant and is `borne_out` by them; `retelling` asks for the whole in
better words and checks those. What is kept joins the rules' own finds in `dialogue`, clause by clause: a rule's find
stands before it, and what was taken back, replaced or never agreed to goes for both alike.
"""
