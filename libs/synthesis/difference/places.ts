const STATES = `Alabama;Alaska;Arizona;Arkansas;California;Colorado;Connecticut;Delaware;Florida;Georgia;Hawaii;Idaho;Illinois;Indiana;Iowa;Kansas;
Kentucky;Louisiana;Maine;Maryland;Massachusetts;Michigan;Minnesota;Mississippi;Missouri;Montana;Nebraska;Nevada;New Hampshire;New Jersey;New Mexico;
North Carolina;North Dakota;Ohio;Oklahoma;Oregon;Pennsylvania;Rhode Island;South Carolina;South Dakota;Tennessee;Texas;Utah;Vermont;Virginia;
West Virginia;Wisconsin;Wyoming;Queensland;Victoria;New South Wales;Tasmania;Ontario;Quebec;Alberta;Manitoba;Nova Scotia;Newfoundland;
British Columbia;Saskatchewan;Bavaria;Prussia;Saxony;Silesia;Tamil Nadu;Kerala;Punjab;Maharashtra;Kashmir;Gujarat;Bengal;Karnataka;Andhra Pradesh`;
const NATIONS =
  'England;Scotland;Wales;Britain;Great Britain;USA;US;U.S.;U.S;UK;U.K.;Soviet Union;Russia;Czechoslovakia;Yugoslavia;Korea;Holland;Persia;Burma;America;Europe;Asia;Africa';

const STATE_NAMES: ReadonlySet<string> = new Set(STATES.toLowerCase().split(/[;\n]+/));

/** ISO 3166 countries by their English names, and what else is too wide to be a town; looked up when it is first asked for. */
let wideNames: ReadonlySet<string> | undefined;

function isWide(place: string): boolean {
  wideNames ??= new Set([...countryNames(), ...`${STATES};${NATIONS}`.split(/[;\n]+/)].map((name) => name.toLowerCase()));
  return wideNames.has(place);
}

function countryNames(): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((first) => letters.flatMap((second) => names.of(first + second) ?? []));
}

/**
 * Whether two places, as sentences give them, narrow before wide ("Worcester, Massachusetts"), cannot be one. They cannot if they are two countries,
 * two states, or towns of different names of which neither lies in the other as far as the sentences say. A town and a country can be one place.
 */
export function placesConflict(one: string, other: string): boolean {
  const [mine, yours] = [partsOf(one), partsOf(other)];
  const [myTown, yourTown] = [mine.filter((part) => !isWide(part)), yours.filter((part) => !isWide(part))];
  if (myTown.length === 0 && yourTown.length === 0)
    return mine.length === 1 && yours.length === 1 && mine[0] !== yours[0] && !isNested(mine[0], yours[0]);
  if (myTown.length === 0 || yourTown.length === 0) return false;
  const words = (parts: readonly string[]): Set<string> =>
    new Set(parts.flatMap((part) => part.split(/[\s-]+/)).filter((word) => word !== 'city'));
  if (!words(myTown).isDisjointFrom(words(yourTown))) return false;
  // Two towns of one state may be a town and its suburb.
  return !(mine.length > 1 && yours.length > 1 && mine.at(-1) === yours.at(-1) && mine.length !== yours.length);
}

function partsOf(place: string): string[] {
  return place
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().replace(/^the\s+/, ''))
    .filter((part) => part !== '');
}

const ISLES = new Set(['england', 'scotland', 'wales', 'britain', 'great britain', 'uk', 'u.k.', 'united kingdom']);
/** What holds states or countries. */
const HOLDS_OTHERS = /^(?:u\.?s\.?a?\.?|united states|america|europe|asia|africa)$/;

/** One may lie in the other. */
function isNested(one = '', other = ''): boolean {
  if (ISLES.has(one) && ISLES.has(other)) return true;
  return [one, other].some((place) => STATE_NAMES.has(place) || HOLDS_OTHERS.test(place));
}
