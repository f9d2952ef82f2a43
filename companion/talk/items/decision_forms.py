"""How people say that they decide: the forms, the surest and most explicit first, each with what it is worth."""

from __future__ import annotations

import re

from companion.language.form import Form
from companion.language.phrases import CHOOSING, LEAD, WORKING

ORDERED = 0.8
"""What a mere imperative is worth (`use X`): it may be a choice, or a step of something written elsewhere."""

_WE = r"(?:we|i|the team|our team|everyone|[A-Z][\w]+ and (?:i|me)|(?:the )?(?:two|three|four|all) of us)"
_SLOT = (
    r"engine|database|db|language|framework|licen[cs]e|font|format|resolution|stack|hosting|cloud|region"
    r"|runtime|orm|queue|broker|cache|auth"
    r"|frontend|backend|encoding|protocol|package manager|build tool|test runner|linter|formatter|code style"
    r"|naming|branching|port|domain|title|audience|platform|interface|standard|checksums?|identifiers?|broker"
)
"""Things of a project that hold one value: what is put after a colon is their choice."""
_SOFTLY = (
    r"(?:(?:just|all|both|definitely|then|now|also|finally|already|instead|simply|therefore|be|still|always|only"
    r"|rather|eventually) )*"
)
_BEFORE = (
    r"(?:(?:for|in|on|with|as for|regarding|about|to|at|given|since|as|because|instead of|rather than|after"
    r"|starting|beginning|when)\b[^,]{2,120}(?:,\s*|\s+(?=(?:we|i|let'?s)\b))(?:then )?(?:so )?)?"
)
_SO = r"(?:(?P<cause>[^\x00]{8,200}?),? (?:so|therefore|hence|which is why|that'?s why),?\s+)?"

FORMS: tuple[tuple[Form, float], ...] = tuple(
    (Form(rf"^{LEAD}{pattern}", re.IGNORECASE), confidence)
    for pattern, confidence in (
        (
            rf"{_BEFORE}{_SO}let'?s {_SOFTLY}(?P<what>(?:(?:not|never) [\w-]+|(?:not "
            rf"|never )?(?:{CHOOSING}))(?:(?<=\s)|\b).*)",
            0.9,
        ),
        (
            rf"{_BEFORE}{_WE}(?:'ve| have|'d)? {_SOFTLY}(?:decided|agreed|chosen|chose|opted|resolved"
            r"|settled)(?: with [\w@. ]{{2,40}}?(?= to | that | on ))?(?: (?:today|yesterday|together|last \w+"
            r"|in the end|unanimously))? (?:that |to |on |for |upon )*(?P<what>(?:against |not to )?.+)",
            0.95,
        ),
        (
            rf"{_BEFORE}{_WE}(?:'ve| have)? {_SOFTLY}(?:picked|went with|gone with|going with|settled (?:for"
            r"|on)) (?P<what>.+)",
            0.9,
        ),
        (
            r"(?:(?:the |our |my |final )*(?:decision|verdict|conclusion|call|choice|plan)(?: (?:is"
            r"|was)(?: made)?(?: to| that)?|:| -)) (?!whether|how|which|unclear|still|pending|not\b|hard|up to"
            r"|to (?:see|wait))(?P<what>.+)",
            0.9,
        ),
        (r"(?:it'?s|that'?s|it is|that is) (?:decided|settled|agreed)(?: then)?[:,.\s–—-]+(?P<what>.{6,})", 0.9),
        (
            r"(?:final answer|decision(?: made)?|decided|agreed|verdict|i(?:'ve| have) made up my mind"
            r"|my mind is made up)[:,–—-]+\s*(?P<what>.{4,})",
            0.9,
        ),
        (
            rf"{_BEFORE}{_SO}(?P<what>{_WE} (?:won'?t|will not|will never|(?:'re|are) not going to"
            rf"|aren'?t going to|'?m not going to|will no longer|no longer) (?:be )?(?:{CHOOSING}|add|need|do"
            r"|write|go|rewrite|implement|touch|change|build|migrate|upgrade|backport|handle|fix)\b.*)",
            0.85,
        ),
        (
            rf"{_BEFORE}{_SO}(?!i\b){_WE}(?:'ll| will| shall|'re going to| are going to"
            rf"|'re gonna) {_SOFTLY}(?P<what>(?:{CHOOSING})(?:(?<=\s)|\b).*)",
            0.85,
        ),
        (
            rf"{_BEFORE}{_SO}i(?:'ll| will|'m going to| am going to|'m gonna) {_SOFTLY}(?P<what>(?:go (?:with"
            r"|for)|use|stick (?:with|to)|keep|drop|skip|switch to|pick|choose|adopt|avoid|take the|leave"
            r"|default to|stay) .*)",
            0.85,
        ),
        (
            rf"{_BEFORE}{_SO}{_WE}(?:'re| are|'m| am) {_SOFTLY}(?P<what>(?:not )?(?:going with|switching"
            rf"|moving (?:\S+ ){{0,4}}?(?:to|away|off)|migrating (?:\S+ ){{0,4}}?(?:to|away|off)|sticking"
            r"|dropping|skipping|keeping|adopting|standardi[sz]ing|deferring|postponing|killing|cutting"
            r"|retiring|deprecating|choosing|picking|replacing|freezing)\b.*)",
            0.85,
        ),
        (rf"(?:i'd|i would|we'd) (?:rather|prefer(?: to)?) {_SOFTLY}(?P<what>(?:not )?\S+.*)", 0.75),
        (
            rf"{_BEFORE}(?:(?:i|we) (?:want|would like)|i'd like|we'd like) (?:to "
            r"|us to )(?P<what>(?:not )?(?:go with|use|stick|keep|drop|switch|adopt|avoid|support|target"
            rf"|standardi[sz]e|make .{{2,40}} the default)\b.*)",
            0.8,
        ),
        (r"(?:i|we) (?P<what>(?:strongly )?prefer .+ (?:over|to|instead of|rather than) .+)", 0.8),
        (r"(?P<what>\S.{0,60}?) it is(?: then)?\s*[.!]*$", 0.9),
        (
            r"(?P<what>\S.{1,60}? (?:wins|is the winner|is out|is out of scope|are out of scope"
            r"|is off the table|stays(?: in| as is| where it is| out| on .+)?"
            r"|is the way to go))\s*(?:then)?\s*[.!]*$",
            0.85,
        ),
        (
            rf"{_BEFORE}(?:please )?(?P<what>(?:go with|stick (?:with|to)|default to|settle on"
            r"|standardi[sz]e on) .+)",
            0.85,
        ),
        (
            rf"{_BEFORE}(?:please )?(?:just )?(?P<what>(?:use|keep|pick|choose|prefer|drop|scrap|ditch|skip|pin"
            r"|cap|limit|target|avoid|make(?=.* (?:default|required|mandatory|optional|private|public|opt-in"
            r"|opt-out|read-only))) .+)",
            0.8,
        ),
        (
            r"(?:please )?(?P<what>(?:never|always|don'?t ever|do not ever|no more) (?!mind|worry|again)[\w-]+ .+)",
            0.85,
        ),
        (
            r"(?:please )?(?P<what>(?:don'?t|do not) (?:use|add|touch|commit|merge|push|deploy|call|rely"
            r"|depend|introduce|support|mock|log|store|write|change|break|bump|rename|cache|ship|release"
            r"|include|import|expose|put|create|mix) .+)",
            0.8,
        ),
        (
            rf"{_BEFORE}{_WE} (?P<what>(?:stay (?:with|on|at)|stick (?:with|to)|go with|keep|(?:switch|move"
            r"|migrate) (?:over )?to) .+)",
            0.85,
        ),
        (r"(?P<what>.{6,}?),? (?:from now on|from here on|going forward|for good)\s*[.!]*$", 0.85),
        (
            r"(?:from now on|from here on|from today on|going forward|moving forward|starting (?:now|today"
            r"|tomorrow|next \w+)|for good|as a rule|as of (?:now|today))[,:]? (?P<what>.{6,})",
            0.9,
        ),
        (
            r"(?P<what>(?!that|it|this|there|they|you|what|i\b)\S.{1,80}? (?:should|must|has to|have to"
            r"|needs? to|shall|will) (?:be|stay|default to|never exceed|not exceed|stay (?:under|below"
            r"|at)) (?:\w+ ){0,3}?\$?\d.*)",
            0.8,
        ),
        (
            r"(?P<what>(?!that|it|this|there|they|you|what|i\b)\S.{1,80}? (?:should|must|has to"
            r"|needs? to) (?:be|accept|allow|take|last|expire|cost|run|live|keep|exceed|have|time out|retry"
            r"|not) (?!.*\b(?:but|currently|instead it)\b).*\d.*)",
            0.75,
        ),
        (
            r"(?P<what>(?:going with|switching (?:over )?to|sticking with|moving to|migrating to|dropping"
            r"|settling on) .+)",
            0.8,
        ),
        (
            r"(?:please )?(?P<what>(?:set|change|raise|lower|bump|increase|reduce|limit|cap|shorten"
            r"|extend) (?!it\b|that\b|this\b).{2,80}? (?:to|at|by) \S*\d.*)",
            0.8,
        ),
        (r"(?P<what>make (?:it|that|them|the \w+) .*\d.*)", 0.8),
        (
            r"(?P<what>(?:the |our |my )?(?:[\w-]+ ){0,2}(?:budget|deadline|target|goal|limit|price|launch date"
            r"|release date|due date|cut-?off|quota|sla|slo|capacity|retention|timeout|release|launch|go-live"
            r"|demo|freeze|threshold|interval|window|ttl|expiry|(?:max|min|batch|page|file|pool"
            r"|chunk)[\w ]{0,12}|default|pilot|beta|fee|discount|cutover|cut-over)(?: (?:for|of"
            r"|on) [^,]{2,40}?)? (?:is now|is|are|will be|stays|remains|starts)(?: at| on)? (?!.*\b(?:but"
            r"|currently|already|too)\b)(?=.*\d).+)",
            0.75,
        ),
        (
            r"(?:i|we) want (?P<what>(?:the|our|all|every|each|no|a) .{2,80}? to (?:be|stay|have|use|return|run"
            r"|live|default) .+)",
            0.75,
        ),
        (
            r"(?:(?:i think|i'd say|in my opinion|imo|i believe|i feel)(?: that)?,? )?(?:we|i) should (?:just "
            r"|definitely |really |probably )?(?P<what>(?:go with|use|stick (?:with|to)|keep|switch to|drop"
            r"|avoid|require|adopt|move to) .+)",
            0.7,
        ),
        (r"(?:[^:]{2,40}: )?(?P<what>\S.{2,60} (?:never|no longer) \w+ .* (?:again|any ?more|ever))\s*[.!]*$", 0.85),
        (r"(?P<what>\S.{1,60}? (?:will be|shall be|is now|are now|is to be) (?:called|named|renamed to) \S+.*)", 0.85),
        (r"(?P<what>no [\w -]{2,30}, (?:just|only|plain|simply|use|we)\b.+)", 0.8),
        (
            rf"{_BEFORE}{_SO}let'?s {_SOFTLY}(?P<what>(?!(?:{WORKING}|see|look|check|try|test|talk|think"
            r"|discuss|explore|brainstorm|debug|dig|read|review|start|begin|continue|proceed|move on|go|wait"
            r"|revisit|recap|figure|find|run|hope|say|assume|pretend|imagine|be|get|take|hear|pause|stop|step"
            r"|walk|dive|focus|face|compare|meet|chat|sync|wrap|call it)\b)[a-z]+ \S+.+)",
            0.8,
        ),
        (rf"{_WE} (?:landed|voted|settled) (?:on|for) (?P<what>.+)", 0.9),
        (
            rf"{_BEFORE}{_WE}(?:'re| are|'m| am) {_SOFTLY}(?P<what>(?:phasing out|rolling out|launching|releasing"
            r"|shipping|ending|closing|opening|raising|lowering|limiting|capping|renaming|splitting|pausing"
            r"|starting with|rolling back|removing|replacing|turning off|shutting down)\b.+)",
            0.8,
        ),
        (
            r"(?:but )?(?:then |so )?it'?s (?P<what>(?-i:[A-Z`])\S*(?: \S+){0,4}?) (?:in the end|then"
            r"|after all)\s*[.!]*$",
            0.85,
        ),
        (
            r"(?:the )?(?:\w+ )?(?:plan|scope|verdict|outcome|final|agreement|rule|policy"
            r"|convention)(?: for .{1,24})?: (?!what"
            r"|how|why|who|when)(?P<what>.{6,})",
            0.85,
        ),
        (
            r"(?P<what>(?:a|an|one|two|three|four|five|six|\d[\w.,]*|plain|just|only|simple)\b.{2,50}? (?:is"
            r"|are) (?:fine|enough|good enough|sufficient|plenty))\b.*",
            0.75,
        ),
        (
            r"(?P<what>(?!it\b|this\b|that\b|the (?:error|problem|bug|issue|question|same)|which"
            r"|what)\S.{2,60}? (?:stays?|remains?|goes?|live|lives) (?:in|out|on|off|with|as|to|at|under|behind"
            r"|the default|where|the same|put|un\w+|private|public|open|closed|optional|manual|required|synchronous"
            r"|read-only)\b.{0,60})",
            0.75,
        ),
        (
            r"(?P<what>(?:our|all|every|each|everything)\b(?! \w+ (?-i:[A-Z])).{2,60}? (?:will|must|has to"
            r"|have to|is to|are to"
            r"|shall) (?!fail|crash|break|see|take|be (?:slow|broken|lost|gone))\S+.+)",
            0.75,
        ),
        (r"(?:i|we) want (?P<what>(?:the|our|all|every|each) .{2,60}?\d.*)", 0.75),
        (
            r"(?:please )?(?P<what>(?:start|begin|go|run|ship|open|roll out|launch)(?: it| this)? (?:with|at|to"
            r"|from) (?:\w+ ){0,2}\S*\d.*)",
            0.8,
        ),
        (
            r"(?P<what>\S.{2,60}? (?:becomes?|will become|is going to be|will be|is now|are now) (?:the "
            r"|our )?(?:default|standard|required|optional|mandatory|deprecated|opt-in|opt-out|read-only"
            r"|the only)\b.*)",
            0.8,
        ),
        (r"(?:then|so) it'?s (?P<what>(?-i:[A-Z`])\S*(?: \S+){0,3}?)(?: then)?\s*[.!]*$", 0.85),
        (
            rf"{_BEFORE}we {_SOFTLY}(?P<what>(?:raise|lower|cap|limit|put|move|split|drop|cut|retire|replace"
            r"|store|keep|ship|release|launch|host|disable|enable|allow|require|freeze|defer|postpone|pin"
            r"|charge|rename|target|only)\b .+)",
            0.7,
        ),
        (rf"(?P<what>(?:{_SLOT})(?: (?:for|of) [^,:]{{2,30}})?(?::|=| =) \S.{{1,80}})", 0.75),
        (
            rf"(?P<what>(?:the |our )(?:\w+ )?(?:{_SLOT}) (?:is|will be) (?!.*\b(?:wrong|broken|slow|fine|ok"
            r"|unclear|too|not|missing|invalid|unknown|empty|null)\b)\S+.*)",
            0.75,
        ),
        (
            rf"{_SO}(?:so |then )?(?P<what>(?:max(?:imum)?|at most|at least|no more than|minimum"
            r"|min)\.? \d\S* \w+.*)",
            0.75,
        ),
        (rf"(?P<what>(?:{_SLOT}) [^\s(]*\d.*)", 0.75),
        (r"(?P<what>no \w+ing\b.*)", 0.7),
        (r"(?P<what>no [\w ]{2,50}, only .+)", 0.8),
        (
            r"(?P<what>\S.{1,60}? (?:will be|is|are) (?:part of|included in|left out of|excluded from|in"
            r"|out of) (?:the )?(?:first|v\d|mvp|next|initial|release|beta|launch|scope|1\.\d|2\.\d).*)",
            0.8,
        ),
        (
            r"(?P<what>(?:set|change|switch|move|raise|lower|bump|cap|limit) (?:it|this|that|them) (?:to|at"
            r"|from|into) \S+.*)",
            0.75,
        ),
        (
            r"(?P<what>(?!.*\b(?:is|are|was|were|it|that|this)\b)(?!(?:ok(?:ay)?|see|bye|until|till|back|right"
            r"|later|tomorrow|today|tonight|monday|next"
            r"|what|why|how|when|who|where|which|since|by|from|and|now|just|only|it|that|this|i|we|you|they|he"
            r"|she|is|are|do|does|did|can|if|let|go|so|well|good|great|fine|thanks|cool|nice|yes|no|maybe|ever"
            r"|even|every|back)\b)[\w.+#-]+(?: [\w.+#-]+){0,3}) then(?:,.*)?\s*[.!]*$",
            0.7,
        ),
        (
            r"(?P<what>(?-i:[A-Z][a-z]+) (?:takes over|will own|will lead|owns|leads"
            r"|is (?:now )?(?:responsible for|in charge of|the owner of)) .+)",
            0.8,
        ),
        (r"(?:just |finally |already )*decided (?:on |to |that )(?P<what>.+)", 0.85),
        (r"(?P<what>[\w ]{2,40}: .{3,80}, (?:nothing else|no more|that'?s all|that'?s it)\b.*)", 0.75),
        (r"(?P<what>no [\w-]+(?: [\w-]+){0,3}), (?:too|it'?s|we|i|that|not)\b.*", 0.75),
        (r"(?P<what>(?:only )?\d[\w.]* (?:and|or) (?:newer|later|above|up|higher|older|below|more|less)\b.*)", 0.75),
        (
            rf"{_BEFORE}we (?P<what>(?!have|are|were|need|should|could|can|may|might|will|meet|talk|see|know"
            r"|think|get|had|did|do not|don'?t|haven'?t|can'?t)[a-z]+ .+\b(?:today|tomorrow|tonight|this week"
            r"|next (?:week|month|sprint)|on (?:mon|tues|wednes|thurs|fri)day)\b.*)",
            0.7,
        ),
        (
            r"(?P<what>(?:the|our|every|each|all|no)\b .{2,60}? (?:must|must not|mustn'?t|may not"
            r"|shall) (?!be (?:a|the|some|in|on|wrong|down)\b|have\b)\w+ .+)",
            0.75,
        ),
        (r"(?P<what>(?:the|our|every|each) .{2,40}? needs? (?:a|an|at least|at most) .*\d.*)", 0.7),
        (r"(?:for|during|in|on) [^,]{2,60}?,?\s*we (?P<what>(?:use|take|go with|show|run) .+)", 0.75),
        (
            r"(?P<what>(?!error|exit|line|status|code|count|total|result|output|time|took|got|step|note|page"
            r"|port \d+ is)[a-z][\w ]{2,40}: (?:at most |max |up to |at least )?[$€£]?\d\S*(?: \S+){0,4})\s*$",
            0.75,
        ),
        (
            r"(?P<what>[\w ]{2,40}: (?:required|optional|mandatory|forbidden|out of scope|not needed|later|a must"
            r"|never|always)\b.*)",
            0.75,
        ),
        (
            r"(?P<what>no (?!problem|idea|worries|need|one|thanks|clue|rush|way|luck|more questions|changes?\b"
            r"|errors?\b|doubt|questions?|answer|reply|news|matter|that|wait)[\w -]{3,50} (?:for (?:now|v\d\S*"
            r"|the (?:first|mvp|beta)\S*)|in (?:v\d\S*|production|prod|this (?:release|version)|the (?:mvp"
            r"|first)\S*)|until .+|before .+|on fridays?)\b.*)",
            0.8,
        ),
        (r"(?P<what>\S.{0,40}? (?:won|beat|beats) (?:over |out over |against |out against )?(?-i:[A-Z])\S*.*)", 0.85),
        (
            r"(?P<what>(?!error|output|result|question|expected|actual|got|want)[\w /-]{2,40}: \S[^?]{1,80}?"
            r",? (?:not|never) (?:the |a |an |per |in |on |by |with )?\w+.*)",
            0.8,
        ),
        (rf"{_BEFORE}we (?:only )?(?P<what>do (?!not\b|it\b|that\b|this\b).{{2,60}}? (?:only\b|, no ).*)", 0.8),
        (r"(?P<what>(?:the |our |that |those |all )?\S.{2,50}? (?:can|has to|have to) go)(?:,.*|\s*[.!]*)$", 0.8),
        (
            r"(?P<what>\S.{2,60}? (?:gets?|is getting|are getting) (?:deleted|removed|rewritten|replaced|renamed|merged"
            r"|split|dropped|closed|moved|archived|retired|deprecated)\b.*)",
            0.75,
        ),
        (r"(?P<what>(?:the |our )\S.{2,50}? (?:is|are) going away\b.*)", 0.8),
        (r"(?P<what>(?:no \S.{1,40}? ever|nobody \w+s? .{2,60} without .+))", 0.8),
        (r"(?P<what>\S.{6,120}?), (?:that'?s|that is) (?:the|our) (?:rule|policy|deal|convention|law)\b.*", 0.85),
        (rf"(?P<what>(?:metadata )?(?:{_SLOT})s? (?:is|are) (?-i:[A-Z])[\w.+/-]*[\dA-Z][\w.+/-]*(?:s\b)?.*)", 0.75),
        (r"so (?P<what>\S.{1,60}? for (?:anything|everything|all|any|every)\b.*)", 0.8),
        (
            r"(?P<what>(?!what|how|that|this|it\b|which)\S.{4,80}? counts? as (?:a |an |the )?\w+)(?:,.*|\s*[.!]*)$",
            0.75,
        ),
        (
            rf"{_BEFORE}we (?P<what>(?:resolve|round|handle|measure|sort|name|version|sign|compute|count|bill"
            r"|break ties)\b .{2,60}? (?:by|with|as|in|per|to) .+)",
            0.75,
        ),
        (r"(?:i'?m|we'?re) (?P<what>using (?!it|that|this|the same)\S+ .*\b(?:in|for|as|on|with)\b.+)", 0.7),
        (r"(?P<what>we'?re doing (?:it|that|this) (?:his|her|their|my|your|our) way\b.*)", 0.85),
        (r"(?P<what>(?-i:[A-Z])[\w-]+ (?:before|over|instead of) (?-i:[A-Z])[\w-]+)(?:,.*|\s*[.!]*)$", 0.75),
        (r"(?P<what>(?!error|output|result|question)[\w /-]{2,40}: \S[^?]{1,60}? only\b.*)", 0.8),
        (r"\S.{4,200}?,? so (?P<what>(?-i:[A-Z`])\S{0,30}(?: \S+){0,3}? it is)(?: then)?\s*[.!]*$", 0.9),
        (r"(?P<what>(?!that|it|this|which|who|you|i\b)\S.{1,40}? can wait)(?:,.*|\s*[.!]*)$", 0.75),
        (r"we (?P<what>bring .{2,50}? back)(?:,.*|\s*[.!]*)$", 0.8),
        (r"(?P<what>\S.{2,60}? goes (?:up |down )?from \S*\d\S* to \S*\d.*)", 0.8),
        (r"(?:i|we) want (?P<what>(?:the|our|this) \S.{2,40}? (?:in|on|as|with) \S.{1,60}?, not .+)", 0.85),
    )
)
