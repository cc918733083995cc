import { termOf } from '../index/terms';

/**
 * Words that askers and authors of documentation use for each other, one line per meaning; all their inflections count. They only say where to look:
 * when reports are compared, one does not stand for another.
 */
const GROUPS = `
abort cancel stop interrupt halt terminate kill end quit exit
add append insert push attach register
advantage benefit
advise recommend suggest prefer recommendation
allow permit enable accept
alter change modify edit update mutate
answer reply response
argument arg parameter param
array list
asynchronous async promise
attempt try retry
attribute property field key
author maintainer
begin start launch run boot
bind attach register
blank empty
block prevent forbid disallow deny prohibit disable
buffer queue pending
builtin native standard
byte size length
cache store memoize memoise remember
callback handler listener function hook
capital uppercase
character char letter
check verify validate validation valid validity inspect
child subprocess process spawn
circular cyclic cycle recursion
cli command terminal
client user caller
clone copy duplicate
code status
coerce cast convert transform conversion transformation
colour color
combine merge concatenate concat join
commit vcs repository
compress zip gzip deflate compression
concurrent parallel simultaneous concurrency
config configuration configure setup settings options
connection socket
contain include
count number amount quantity
crash throw fail die blow break exception error failure
create generate build make construct produce
custom customize customise
database db
date time timestamp
deadline timeout
debug log trace
declare define definition
decode parse deserialize deserialise
decompress unzip inflate extract uncompress
deep deeper depth nested nesting level recursive
delay wait sleep pause
delete remove strip drop erase unset purge clear discard deletion removal
dependency package module library
deprecate obsolete
descend traverse walk recurse follow
detect determine recognize recognise tell distinguish
dictionary object map
diff difference compare comparison
different distinct
directory folder dir
disable deactivate
disappear hide hidden invisible
discard ignore skip drop lose
dispatch emit send publish deliver post transmit
display show print output render visible
duration interval period seconds milliseconds ms
edge boundary border
element item entry
encode serialize serialise stringify
environment env
equal identical equality
error exception failure problem
escape sanitize sanitise quote
evict expire stale eviction
exceed overflow surpass grow
exclude omit ignore skip except
executable binary program
expiry expiration expire ttl
extension suffix ending
extra additional unknown extraneous unrecognized surplus
fake mock stub simulate
fallback default otherwise alternative
fast quick speed performance efficient rapid
fetch download retrieve request load get
final last
fix repair solve resolve workaround
flag option switch setting parameter
follow traverse resolve
format formatted pretty style
freeze block hang stuck
handle process deal
hide hidden invisible conceal
host hostname domain
identifier id
import load require
indent indentation whitespace space
inform notify notification
inherit extend subclass derive
initial first begin
initialize initialise init bootstrap
insensitive lowercase
iterate loop walk traverse
keep preserve retain maintain
language locale translation i18n localization localisation
limit maximum max cap restrict bound throttle
link symlink symbolic
link url address uri
listen subscribe observe watch
lock mutex
log logger logging
lowest minimum min least
highest maximum max
match fit satisfy pattern
memory heap ram
message text
method function fn
middleware plugin
migrate upgrade migration
missing absent lack
money currency
multiple several many
mute silence silent quiet suppress
name label title
newline eol linebreak
null undefined nil
order sequence sort precedence priority
override overwrite replace supersede
padding pad align alignment
password secret credential token
permission access
persist save store
placeholder variable
precise exact strict precision accuracy
precedence priority win override
prefix beginning
protect secure safe security protection
random unpredictable
recover restore recovery
redo repeat
reference pointer ref
regex regexp regular pattern
relate associate
remote server
rename alias
replace substitute swap
resume continue
return yield give
reuse share
revert undo rollback restore
root base
rule constraint
safe secure cryptographic cryptographically
schedule cron timer
secret sensitive confidential private
separator delimiter
server backend
severity level
shorten truncate cut slice
shrink minify reduce
silence suppress swallow ignore
spawn fork start
speed throughput
stdout output
subfolder subdirectory
support handle compatible compatibility
symbol sign
synchronous sync blocking
syntax grammar
tab indentation
thread worker
throttle limit rate debounce
timezone tz zone
trim strip
type class kind
typo misspell
unique distinct
unit seconds
unregister remove detach
variable env
version release
warn warning deprecation
wildcard glob asterisk star
wrap surround
wrong invalid incorrect
zero 0
`;

const synonyms = new Map<string, Set<string>>();
for (const line of GROUPS.trim().split('\n')) {
  const group = new Set(line.split(' ').map(termOf));
  for (const stem of group) synonyms.set(stem, (synonyms.get(stem) ?? new Set()).union(group));
}

const NONE: ReadonlySet<string> = new Set();

/** The terms that mean about the same as a term, without the term itself. */
export function synonymsOf(term: string): readonly string[] {
  return [...(synonyms.get(term) ?? NONE)].filter((other) => other !== term);
}
