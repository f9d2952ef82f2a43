"""Verbs and beginnings that several rules know: what opens a clause, what work is called, what is soon over."""

from __future__ import annotations

import re

LEAD = (
    r"(?:(?:ok(?:ay)?|so|alright|all right|cool|(?:great|good|nice|fine|perfect|right|no|next|first|second"
    r"|third|last|important|update)(?=\s*[,.!:;–—-])|(?:next|first)(?= (?:i|we)\b)|yes|yeah|yep|yup|ya|sure"
    r"|then|and|but|also|well|hm+|ah|oh|aha|ugh|argh|yo|man|damn|haha|lol|welp|yay"
    r"|actually|nah|nope|wait|agreed|exactly|thanks|thank you|btw|by the way|fyi|plus|anyway|now|honestly|tbh"
    r"|in that case|on second thoughts?"
    r"|on reflection|thinking about it|good (?:point|idea|call|question)|makes sense|sounds good|got it|i see"
    r"|you'?re right|fair(?: enough| point)?|for now|firstly|secondly|finally|lastly"
    r"|one more thing|another thing|in the end|after all|for the record|to be clear|to confirm|to sum up"
    r"|i think (?=let'?s)|i say|i guess (?=let'?s|we'll)|hey|hi|btw|never mind|nevermind|scratch that"
    r"|forget that|i changed my mind"
    r"|(?:scratch|forget|drop|skip|i(?:'ve)? changed my mind|i don'?t want)\b[^,.;]{0,60}(?=,)"
    r"|all things considered|overall"
    r"|long story short|i(?:'ve| have) (?:thought about (?:it|this)|slept on it)|yesterday|today|this morning"
    r"|last week|last night|(?:on|last) (?:mon|tues|wednes|thurs|fri)day|after (?:some|a lot of"
    r"|more) (?:thought|thinking|discussion|debate|back and forth))"
    r"\b[\s,.:;!–—-]*)*"
)
"""What stands before the point of a clause."""

CHOOSING = (
    r"go(?:ing)? (?:with|for|ahead with|back to)|us(?:e|ing)|stick(?:ing)? (?:with|to)|keep(?:ing)? (?!going"
    r"|an eye|in mind|looking|at it|you|me)|drop(?:ping)?|skip(?:ping)?|switch(?:ing)? (?:to|over|back|from)"
    r"|mov(?:e|ing) (?:\S+ ){0,4}?(?:to|from|away from|over to|into|out of) |migrat(?:e"
    r"|ing) (?:\S+ ){0,4}?(?:to|from|away)|adopt(?:ing)?|mak(?:e|ing) (?!sure|progress|it work|sense)"
    r"|try(?:ing)? (?:\S+ ){0,4}?for (?=a|one|two|three|\d)|agree(?:ing)? on|commit(?:ting)? to|scrap(?:ping)?"
    r"|ditch(?:ing)?|pric(?:e|ing)|renam(?:e|ing) (?=.* to )"
    r"|call(?:ing)? (?:it|them|this|the)|nam(?:e|ing) (?:it|them|this|the)"
    r"|set(?:ting)? (?!up)|pin(?:ning)?|cap(?:ping)?|limit(?:ing)?|target(?:ing)?|support(?:ing)?"
    r"|default(?:ing)? to|defer(?:ring)?|postpon(?:e|ing)|avoid(?:ing)?|ban(?:ning)?|requir(?:e|ing)"
    r"|standardi[sz](?:e|ing)|settl(?:e|ing) on|pick(?:ing)?|choos(?:e|ing)|leav(?:e|ing) (?!it|that|for|early)"
    r"|stor(?:e|ing)|treat(?:ing)?|return(?:ing)?|disabl(?:e|ing)|enabl(?:e|ing)|hold(?:ing)? off|park(?:ing)?"
    r"|freez(?:e|ing)"
    r"|allow(?:ing)?|retir(?:e|ing)|deprecat(?:e|ing)|replac(?:e|ing)|buy(?:ing)?|rais(?:e|ing)|lower(?:ing)?"
    r"|bump(?:ing)?|increas(?:e|ing)|reduc(?:e|ing)|cut(?:ting)?|kill(?:ing)?|do(?:ing)? (?!it\b|that\b|this\b"
    r"|so\b)"
    r"|hav(?:e|ing) (?!a look|a go|a think|a chat)|releas(?:e|ing)|launch(?:ing)?|ship(?:ping)?"
    r"|run(?:ning)? (?:\S+ ){0,5}?(?:on|in|at|every|behind|under|with|through|via|from|as)"
    r"|deploy(?:ing)? (?:\S+ ){0,5}?(?:on|to"
    r"|every|with|via)|host(?:ing)?|split(?:ting)?|merg(?:e|ing)|put(?:ting)?|rotat(?:e|ing)"
    r"|cach(?:e|ing)|log(?:ging)? (?!in|out|off)|exclud(?:e|ing)|includ(?:e|ing)|accept(?:ing)?|reject(?:ing)?"
    r"|follow(?:ing)?|stay(?:ing)?|start(?:ing)? with (?!the|a)|order|write (?:\S+ ){0,4}?in"
    r"|build (?:\S+ ){0,4}?(?:on|with|in)|version|sign|charge|pay|publish|only|forbid|delay(?:ing)?"
    r"|push(?:ing)? (?:\S+ ){1,4}?(?:to|back|until)|sunset|extend|shorten|squash"
)
"""What is done to a thing by deciding about it."""

WORKING = (
    r"add|fix|write|implement|refactor|update|rename|remove|delete|create|document|upgrade|downgrade|replace"
    r"|extract|revert|release|deploy|publish"
    r"|schedule|send|email|e-mail|file|close|rewrite|port|convert|configure|set up|setup|install|wire|hook up"
    r"|clean up|cleanup|tidy up|polish|finish|ship|backport|rebase|cherry-pick"
    r"|tag|draft|review|benchmark|profile|validate|handle|expose|register|order|book|pay|renew|rotate"
    r"|investigate|prepare|design|follow up|reach out|get back to|talk to|call|ping|sync|bump"
    r"|migrate|move|merge|split|introduce|generate|build|cover|test|raise|increase|reduce|lower|speed up"
    r"|optimi[sz]e|improve|simplify|switch|enable|disable|drop|swap|patch|bisect|reproduce|reword|translate"
    r"|change|make (?!sure)|put|set|cap|limit|push|open (?:an? )?(?:pr|issue|pull|ticket|mr|bug)|monitor"
    r"|measure|audit|sign|order|ask|tell|invite|announce|submit|onboard|interview|hire|buy|cancel|contact"
    r"|notify|log (?!in|out)|cache|pin|unpin|seed|back up|backup|restore|provision|archive|trim|dedupe"
    r"|deduplicate"
    r"|import|export|integrate|instrument|mock|stub|lint|format|type|annotate|automate|parse|encrypt|hash"
    r"|redact|throttle|batch|paginate|index|vacuum|resolve|triage|verify|double[- ]check|check (?:with|whether"
    r"|that)|find (?:a|an|the|out)|figure out|decide|read|rerun|re-run|run the|record|post|share|present|demo"
    r"|rework|redo|correct|address|complete|wrap up|turn (?:on|off)|flip|scale|tune|train|label|upload|download"
    r"|organi[sz]e|plan|prepare|bring|give|get|do|start|spin up|tear down|kill|stop|delay|extend|keep|use|adapt"
    r"|adjust"
)
"""What work on a project is called; `do` and the like only where an object follows."""
DOING = (
    r"adding|fixing|writing|implementing|refactoring|updating|renaming|removing|deleting|creating|documenting"
    r"|upgrading|replacing|extracting|reverting|releasing|deploying|publishing"
    r"|rewriting|porting|converting|configuring|setting up|installing|wiring|cleaning up|polishing|finishing"
    r"|shipping|backporting|drafting|reviewing|benchmarking|profiling|investigating|preparing|designing"
    r"|migrating|moving|merging|splitting|introducing|building|testing|optimi[sz]ing|improving|simplifying"
    r"|switching|integrating|debugging|tracking down|reworking|triaging|bisecting|hiring|planning"
)
DONE = (
    r"added|fixed|wrote|written|implemented|refactored|updated|renamed|removed|deleted|created|documented"
    r"|upgraded|downgraded|replaced|extracted|reverted|released|deployed|published"
    r"|sent|filed|closed|rewrote|rewritten|ported|converted|configured|set up|installed|wired up|cleaned up"
    r"|polished|finished|completed|shipped|backported|rebased|tagged|drafted|reviewed"
    r"|merged|migrated|moved|renewed|rotated|resolved|solved|patched|pushed|landed|submitted|delivered|answered"
    r"|replied|signed|approved|paid|booked|scheduled|confirmed|handed over|provided|shared|got (?:the|back)"
    r"|received|uploaded|bumped|disabled|enabled|dropped|split|built|tested|verified|wrapped up|posted"
    r"|presented|forwarded|handed over|supplied|cancelled|canceled|unblocked|reduced|improved|increased"
    r"|simplified|granted|cleared|restored|announced"
)
"""What is said of work that is over."""
PASSING = re.compile(
    r"^(?:see|check(?! (?:with|whether|that))|look(?! into \S+ \S+)|think|try|take a (?:look|break)|let (?:you"
    r"|me|us)|be|have(?! (?:the|a|an|my|it|everything)\b.*\b(?:ready|done|finished|out|working)\b)|know"
    r"|understand|wait|give (?:it|you|that|this) (?:a|some|an)|get (?:it|that|back\b(?! to)|used|going|some"
    r"|a (?:coffee|sense|feel))|start (?:with|by|over|again|a new)"
    r"|go(?: ahead)?$|go (?:get|grab|have|to lunch|offline|home|over|through)|grab|ask you|tell you|show you"
    r"|give you|send you|share (?:it )?with you|paste|read (?:it|that|this|through)|run (?:it|that|this)"
    r"|do (?:it|that|this|so|the same)|come back|return|stop here|leave it|continue|keep (?:going|you|an"
    r"|in mind)|need|like|love|want|explain|clarify|say|admit|assume|rephrase|ponder|sleep|hear|miss|stay"
    r"|test (?:it|that|this)|make (?:it|that|this)$)\b",
    re.IGNORECASE,
)
"""What is over with the talk itself."""
NEGATED = re.compile(
    r"\b(?:not|n't|never|haven't|hasn't|didn't|don't|doesn't|isn't|aren't|wasn't|won't|can't|cannot|hardly"
    r"|no longer)\b|n't\b",
    re.IGNORECASE,
)
