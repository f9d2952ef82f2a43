"""The words and phrases that housekeeping is spoken in, gathered from the logs of some dozens of projects."""

from __future__ import annotations

import re


def _one_of(text: str) -> str:
    """An alternation from a text of words, phrases separated by two spaces or line ends."""
    return "|".join(part for part in re.split(r"\s{2,}|\n", text.strip()) if part)


VERSION = r"v?\d+(?:\.(?:\d+|x))+(?:[-.+]?(?:a|b|c|rc|alpha|beta|dev|pre|post|final|m|snapshot)[-.]?\d*)*"

_RELEASING = "prepare  preparing  prep  start  begin  open  cut  publish  finali[sz]e  ready  mark"
_RELEASED = rf"release  relase  publish\w*  version  dev\w*  snapshot  {VERSION}"
_RAISING = "update  set  increase  increment  change  raise  new  next  correct  fix  adjust"
_REFRESHING = "update  upgrade  refresh  pin  unpin  re-?lock  sync  lock"
_DEPENDENCIES = r"""
    dep  deps  dependenc\w+  requirements  lock ?files?  pre-?commit  submodules?  \w*\.lock  packages  gemfile  gems
    env  pins
"""
_TOOLS = r"""
    autoupdate  pre-commit(?:\.ci)?  styleci  phpcs\w*  php-cs-fixer  phpstan  rubocop  clippy  gofmt  rustfmt
    cargo fmt
    isort  flake8  pylint  eslint  tslint  prettier  golangci\S*  codespell  scrutinizer  codecov  codeql  dependabot
    renovate  appveyor  readthedocs  stalebot  linting  pre-?push  husky  tsconfig  jest ?config\S*  pragma:? ?no ?cover
    autodoc  mkautodoc  versionadded  versionchanged  gitpod  devcontainer  coverage  unit ?tests?  test ?suite  ruff
    (?:go|es|ts|py|js|k|css|style)?lint(?:s|er|ers)?  eslintrc  go ?vet  goimports  staticcheck  pyupgrade  spotless
    detekt  doctests?  typeshed
    error[ -]?prone  suppresswarnings  eclipse  checkstyle  findbugs  spotbugs  sonar\w*  travis
    compiletest  azure[- ]pipelines?  coveralls  karma  sauce ?labs  nits?  pipfile\S*  (?:package|pnpm)-lock\S*
    (?:mypy|pytest|tox|nox|webpack|rollup|babel) (?:config\w*|settings)
    bdist_wheel  pep ?8  auto-?format\w*  (?:by|run|with|use) `?black`?  black (?:python|target|version|config)
    (?:version of|upgrade|pin) `?pip`?
"""
_PROSE = r"""
    typos?  mis-?spell\w*  spelling  grammar  doc-?blocks?  php-?docs?  changelogs?  change log  change ?notes?
    release notes  badges?  contributors?  sponsor(?:s|ed|ing|ships?)?  backers  mailmap  code of conduct
    copyright  readme\S*
    (?:dead|broken) links?  \.?gitignore  \.editorconfig  issue templates?  news ?fragments?  codeowners  docs?/\S+
    jsdocs?  godocs?
    quickstart  todos?  \.\w+ignore  screenshots?  logos?  artwork  favicon  endline  doc ?strings?  sdist  manifest\.in
    add(?:ed)? (?:a )?notes? (?:on|about|that|to)  by documenting  (?:code )?review comments?  requested changes
    (?:add|improve|clarify|update|fix|extend|remove)\w* (?:\w+ ){0,2}(?:code )?comments?
    (?:to|in) (?:a |the )?(?:code )?(?:comments?|docs|documentation)
    (?:update|fix|old|change|replace|correct)\w* (?:\w+ )?(?:links?|urls?)
"""
_LISTED = r"""
    lists? of  ecosystem  resources  showcase  gallery  sidebar  navigation  home ?page
"""
_CONFIGURED = "jest  vitest  mocha  karma  pytest  phpunit  tox  nox  webpack  rollup  babel  sphinx  mkdocs"
_REMOVING = "remove  delete  drop  clean ?up  prune  strip  get rid of  rm  eliminate"
_SUPERFLUOUS = r"""
    unused  needless  hanging  unreachable  dead  redundant  unn\w+ssary  unneeded  obsolete  useless  duplicated?
    extra  commented  leftover  superfluous  extraneous  debug  stale  old  outdated
"""
_TESTING = r"""
    add  fix  update  change  improve  extend  move  adjust  refactor  correct  remove  skip  disable  re-?enable
    rename
    clean ?up  simplify  expand  split  stabili[sz]e  unskip  cover  write  rewrite  convert  make  use  tweak  more
    failing  missing  new  test  additional  parametri[sz]e  mark
"""
_TESTS = r"""
    tests?  test-?(?:cases?|suite)  testing  specs?  benchmarks?  assertions?  mocks?  mockery  data providers?  ci
    travis\S*  github actions?  workflows?  coverage
"""
_TEST_PRODUCTS = "runner  client  framework  command  response  harness  util"
_REVIEWING = "apply  address  incorporate  respond to  adopt  accept"
_REMARKS = r"suggestions?  feedback  comments?  review\w*  changes  remarks?  nits?"

_SUFFIXES = r"""
    py  pyi  [cm]?[jt]sx?  go  rs  java  kt  c  h  cc  cpp  hpp  cs  rb  php  sh  md  rst  txt  ya?ml  json  toml  ini
    cfg  lock  xml  html  css  scss  sql  gradle  swift  scala  ex  exs  vue  svelte  tsx  gemspec  ipynb  proto
"""
FILE = rf"[\w./-]+\.(?:{_one_of(_SUFFIXES)})"
"""A file named in a text."""

PHRASES = (
    # releases and versions
    rf"{VERSION}[.:,]\s.*",
    r"(?:[A-Za-z][\w@/.-]*\s)?v?\d+",
    r".*\b(?:some|more|other) (?:\w+ )?stuff\b.*",
    rf"(?:[\w@/.-]+\s)?{VERSION}(?:\s(?:release|changelog|changes|notes|final))?",
    r"(?:un)?bump(?:s|ed|ing)?\b.*",
    rf"(?:pre-?)?release(?:s|d)?(?:\s(?:of\s)?(?:\w+\s)?(?:version\s)?{VERSION}.*|\snotes?.*|)",
    rf"(?:version|tag|tagging)\s(?:bump|to|is now)?\s*{VERSION}.*",
    rf"(?:{_one_of(_RELEASING)})[sed]*\s(?:\w+\s){{0,4}}?(?:{_one_of(_RELEASED)})\b.*",
    r"(?:\w+\s){0,2}(?:version|ver)(?:s)?\s(?:number|string|bump|update|increment)s?\b.*",
    rf"(?:{_one_of(_RAISING)})[sed]*\s(?:\w+\s){{0,3}}versions?(?:,.*|\s(?:to|for|from|number|in)\b.*)?",
    rf"(?:update|upgrade)[sd]?\sto\s(?:[\w./-]+\s){{1,2}}{VERSION}",
    r"(?:back|return|go)\sto\s(?:dev\w*|snapshot)\b.*|.*\bversion (?:down|up) to\b.*",
    r"(?:forward|back)[- ]?port\w*\s(?:of\s|pr\s|pull request\s)?#?\d+|\([^()]*\)",
    r"(?:resolv|fix)\w*\s(?:(?:the|a|merge)\s)*conflicts?\b.*|updat\w*\s\S+\sto\s[0-9a-f]{7,40}|(?:one|just)\s(?:last|more)\b.*",
    r"(?:second|third)\stime\b.*|.*\b(?:exec|executable|file) permissions?\b.*",
    r"(?:update|sync)\w*\s(?:the\s)?(?:develop|master|main|trunk)(?:\s(?:branch|with|from|into).*)?",
    # dependencies and tools
    rf"(?:update|upgrade)[sd]?\s.{{1,60}}\s(?:to|requirement from)\s(?:version\s)?{VERSION}.*",
    r"(?:update|upgrade)[sd]?\s.{1,60}\s(?:to\s)(?:v\d+|latest\b.*)",
    rf"(?:{_one_of(_REFRESHING)})[sd]?\s(?:\w+\s){{0,4}}(?:{_one_of(_DEPENDENCIES)})\b.*",
    # prose and people
    r".*\b(?:to|in|from) (?:the )?(?:authors|credits|thanks|adopters|news|history|changes)\b\S*",
    r"🌐.*",
    r"(?:update|add|sync|fix|improve|correct)[sed]*\s(?:\S+\s){0,4}(?:locali[sz]ations?|locales?)\b.*",
    rf"(?:{_one_of(_REMOVING)})[sd]?\s(?:\S+\s){{0,2}}?(?:{_one_of(_SUPERFLUOUS)})\b.*",
    # tests, builds, merges
    rf"(?:\w+\s)?(?:{_one_of(_TESTING)})[sed]*\s(?:\S+\s){{0,4}}?(?:{_one_of(_TESTS)})"
    rf"(?:\s(?!{_one_of(_TEST_PRODUCTS)})\S+(?:\s\S+)*)?",
    r".*\b(?:in|from|of|to|for|with) (?:the |unit |some |all )?(?:tests|test[_-]\S+|specs|test suite)",
    r"(?:travis|tox|ci|gha|circle ?ci|jenkins|rtd|read the docs)\b.*|.*\bon (?:ci|travis|github actions)\b.*",
    r".*\b(?:release|publish|deploy|build|canary)[ -](?:ci|workflows?|scripts?|pipelines?|process|releasing)\b.*",
    rf"test\s(?!{_one_of(_TEST_PRODUCTS)}).*|.*\bworkflow",
    r".*\bCI|synced? with \S+|.*\bdependanc(?:y|ies)\b.*|.*(?<!and )(?<!with )(?<!\+ )\btests?\W*",
    rf"(?:re-?)?configur\w*\s(?:\w+\s)?(?:{_one_of(_CONFIGURED)})\b.*",
    r"(?:auto[- ]?|rollup )?merg(?:e|es|ed|ing)\b(?!.*pull request).{0,160}",
    r"(?:re-?generate|auto-?generate|re-?build|re-?compile)[sd]?\b.*",
    rf"(?:{_one_of(_REVIEWING)})\w*\s(?:\S+\s){{0,4}}(?:{_one_of(_REMARKS)})\b.*",
    r"(?:unneeded|unnecessary|redundant|unused|useless)\b.*|.*\bbuild (?:config\w*|files?|settings)\b.*",
    r"builds?\s(?:on|with|against|under)\s.*",
    # work without a name
    r"automatic (?:fixes|changes|updates)\b.*",
    r"(?:various|miscellaneous|assorted|tiny|minor|small|little|trivial|slight|quick|cosmetic|tweak(?:s|ed|ing)?)\b.*",
    r"(?:partial(?:ly)? )?revert(?:s|ed|ing)?\s(?:that|this|last|previous|these|the|my|some|back|to)\b.*",
    r"(?:make|do|add|apply)\w*\s(?:an?|some|a few|several)\s(?:small|minor|tiny|little|trivial|slight|quick)\b.*",
    r"(?:fix|silence|avoid|suppress|resolve|remove|address)\w*\s(?:\S+\s){0,2}?deprecation (?:notes?|notices?"
    r"|messages?)\b.*|let['’]s\b.*",
    r"temporar(?:y|ily)\s.*",
    rf"remov(?:al|ing) of\s(?:\S+\s){{0,2}}?(?:{_one_of(_SUPERFLUOUS)})\b.*",
    r"(?:fixup|squash|amend)!.*|wip\b.*|squashed commits? of the following\W*",
    rf"(?:update|create|delete|rename|add|edit|modify)[sed]*\s(?:the\s)?{FILE}"
    rf"(?:(?:,|\sto|,?\sand)\s{FILE})*(?:\sfile)?",
    r"(?:initial|first)\s(?:commit|import|version|revision|pass|attempt|try|cut|stab|draft)\b.*",
    r"attempt\w*\s(?:to|at)\s(?:\w+ing|fix\w*|make|resolve|repair|solve|work|get)\b.*|next (?:iteration|step|attempt)",
    r"(?:start|begin)\w*\s(?:(?:\w+\s)?work\w*\s(?:on|towards?|with)|on|implementing|working|adding|writing"
    r"|to implement)\b.*|cherry-?pick\w*\b.*",
    r".*\b(?:when|after|while|from|of) (?:the )?(?:bad |last )?merg(?:e|ing)\b(?!\w).{0,24}",
    r"revert\w*\s(?:pr\s|pull request\s|issue\s)?#?\d+",
    rf"(?:\w+ )and \w+ (?:new |more |some )*(?:{_one_of(_TESTS)})\b.*|(?:{_one_of(_TESTING)})\w*\s`?test_\w+.*",
    r"tests?\s(?:should|must|now|can|will|are|is|were)\b.*",
    r"(?:set ?up|add|use|move|switch|migrate|enable|fix|update|configure|run|improve)\w*\s(?:\S+\s){0,4}CI\b.*",
    r"(?:fix|resolve|address|silence)\w*\s(?:(?:some|all|the|new|a|an|few|compiler|build|compilation|deprecation)\s)*"
    r"warnings?(?:\s(?:about|in|from|on|with|when)\b.*)?|.*\b(?:fix|silence)\w* (?:some|all) warnings?",
    r"tid(?:y|ied|ying|ies)(?:[- ]?ups?)?\b.*|.*\bwhitespace (?:changes?|issues?|fix\w*)\b.*",
    r"(?:mov|shuffl|rearrang|renam)\w*\s(?:\S+\s)?(?:things|classes|files|code|stuff|packages|job)\b"
    r"(?:\s(?:around|to)\b.*)?",
    r"(?:get|make)\s(?:all\s)?(?:the\s)?tests?\b.*|prep(?:are|s|ping)?\s(?:for|to)\s.*"
    r"|latest (?:iteration|state|changes)\b.*",
    r"fix\w*\smerg\w+\scon\w+\b.*|remove[sd]?\s(?:\w+\s)?(?:console|print|debug)\s(?:statements?|logs?|output)",
    r"(?:it['’]?s|this is|that['’]?s)\s.*",
    r"(?:fix|silence|avoid|suppress|resolve|remove|address)\w*\s(?:\S+\s){0,3}?(?:compiler|gcc|clang|msvc"
    r"|compilation|build"
    r"|compile|linker)\s(?:warnings?|errors?|failures?)\b.*",
    r"fix\w*\s(?:(?:some|the|bad|wrong|code)\s)*formatting\b.*|(?:put|add|remove|use)\s(?:\w+\s)?spaces?\b.*",
    r"back-?port\w*\s(?:of\s)?(?=[a-f]*\d)[0-9a-f]{7,40}\b.*|1\.\s.*\b2\.\s.*|(?:run|port"
    r"|move)\w*\s(?:\S+\s){0,3}tests?\b.*",
    r"updat\w*\s(?:the\s)?docs\b.*|.*\b(?:failing|regression) test ?cases?\b.*",
    r"(?:push|bring|sync)\w*\s(?:the\s)?branch\b.*|(?:make|fix|apply|follow)\w*\s(?:\S+\s){0,3}psr-?(?:2|12)\b.*|.*\bconflicts\W*",
    r"(?:get|make)\s(?:everything|it|things|all|this)\s.*\b(?:compile|build|work|pass|green|happy)\b.*",
    # half a sentence, and talk about other work
    r"(?:by|and|but|or|to|than|which|because|so that)\s.*"
    r"|.*\b(?:existing|open|other|previous) (?:prs?|pull requests)\b.*",
    r".*\blicen[cs]e(?:-\w+|\.\w+|\s(?:files?|text|headers?|year))\b.*",
    r"rust ?up\b.*|(?:feature )?\S+ (?:feature )?has been stabili[sz]ed\b.*",
    # what is true of one day, and lists of others' work
    r"(?:update|fix|adapt|upgrade|adjust|build|compile|compat\w*)[sed]*\s.{0,40}\b(?:latest|newest|recent"
    r"|current)\b.{0,40}",
    r"(?:update|fix|adapt|upgrade|adjust)[sed]*\s(?:\S+\s){0,3}(?:rust|rustc|rustup|nightly)\b.*",
    rf"add[sed]*\s.{{1,60}}\sto\s(?:(?:\S+\s){{0,4}}(?:{_one_of(_LISTED)})\b.*|the\s(?:\S+\s){{1,3}}lists?)",
    r"add[sed]*\s(?:lower|upper|version) (?:bound|cap|limit)s?\b.*",
    r"(?:set|raise|lower|cap|limit|require|increase)\w*\s(?:the\s)?(?:max|min|maximum|minimum|lowest|highest)\s"
    r"(?:\S+\s){0,2}(?:versions?|bounds?)\b.*|work(?:ing|ed)?\s(?:on|towards?)\b.*",
    r"add[sed]*\s(?:missing|basic|more|some)?\s?(?:\w+\s)?type (?:hints?|annotations?)\b.*",
)
"""Subjects, bare of type and scope, that are noise as a whole; joined by the caller, case ignored."""

ANYWHERE = rf"\b(?:{_one_of(_TOOLS)}|{_one_of(_PROSE)}|translat(?:ion|ions|ed|e)|l10n|nightly)\b"
"""Words that make a subject noise wherever they stand in it; sought apart, in one pass."""

_EVERYDAY = """
    add added adds adding address addressed adjust adjusted allow apply applied adapt change changed changes changing
    check checks clarify clean cleaned cleaning cleanup cleanups code coding collapse commit compile complete
    consistency
    consistent convert correct corrected correction corrections delete deleted do documentation docs doc docstring
    docstrings documented document documents drop edit edits enable ensure example examples extend extra extract file
    files final finish fix fixed fixes fixing fixup follow format formatted formatting further guide handle header
    headers hooks implement implementation import imports improve improved improvement improvements improving include
    indent indentation initial inline install introduce issue issues javadoc javadocs keep kill last leftover level
    license line lines link links lint linter linters linting linted list local lock log make making master main mention
    merge merged message method methods minor misc missing mistake modify module more move moved moving multiple name
    names naming new newline newlines nit nits note notes now old only optimize optimise order organize package pages
    parameter params patch phpunit pint polish prefer prepare problem problems property quick quotes rearrange rebase
    redundant refactor refactored refactoring refactorings reformat regression remove removed removes removing rename
    renamed reorder reorganize replace reorganise replaced rest restore restructure return revert review rework rewrite
    rewording reword ruff run sample section separate sentence several shorten show simple simplified simplify
    simplification skip small some sort sorted sorting source spacing spaces split standard standards stuff style styles
    styling stylistic suggested support switch sync syntax tabs tag temp test tests testing text thing things tidy todo
    trailing trivial try tune tweak tweaked tweaks tweaking type types typehint typehints typing unnecessary unneeded
    unused update updated updates updating upgrade usage use used useful useless uses using variable variables various
    verify version warning warnings website whitespace whitespaces wip wording work working works wrong wrap write year
    flake8 isort black prettier eslint mypy pyright pylint phpcs cs psr psr2 psr12 gofmt rustfmt fmt eof bit again
    little
    few lot also better nicer good great error errors bug bugs failing failed failure failures flaky build builds broken
    comment comments commented comma commas semicolon semicolons bracket brackets dead empty blank unit feedback pr pull
    request suggestions suggestion conflict conflicts ups oops whoops please really correctly properly proper right
    bunch config configuration configs cosmetic couple everywhere existing metadata pass project settings tooling
    duplicate duplicated one two annotations annotation api internal sphinx rst markdown md html css readme index
"""
SAYS_NOTHING = frozenset(_EVERYDAY.split())
"""Words that any project's log is full of: a subject made of them alone tells nothing."""

_LITTLE = """
    a an the of to in on at by for from with as and or but so that this it its is are was be not all no if when up out
    off into we i you my our me should can will
"""
JOINING = frozenset(_LITTLE.split())
"""Words that join others."""
