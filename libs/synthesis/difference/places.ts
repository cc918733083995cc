const STATES = `Alabama;Alaska;Arizona;Arkansas;California;Colorado;Connecticut;Delaware;Florida;Georgia;Hawaii;Idaho;Illinois;Indiana;Iowa;Kansas;
Kentucky;Louisiana;Maine;Maryland;Massachusetts;Michigan;Minnesota;Mississippi;Missouri;Montana;Nebraska;Nevada;New Hampshire;New Jersey;New Mexico;
North Carolina;North Dakota;Ohio;Oklahoma;Oregon;Pennsylvania;Rhode Island;South Carolina;South Dakota;Tennessee;Texas;Utah;Vermont;Virginia;
West Virginia;Wisconsin;Wyoming;Queensland;Victoria;New South Wales;Tasmania;Ontario;Quebec;Alberta;Manitoba;Nova Scotia;Newfoundland;
British Columbia;Saskatchewan;Bavaria;Prussia;Saxony;Silesia;Tamil Nadu;Kerala;Punjab;Maharashtra;Kashmir;Gujarat;Bengal;Karnataka;Andhra Pradesh`;
const NATIONS =
  'England;Scotland;Wales;Britain;Great Britain;USA;US;U.S.;U.S;UK;U.K.;Soviet Union;Russia;Czechoslovakia;Yugoslavia;Korea;Holland;Persia;Burma;America;Europe;Asia;Africa';

const STATE_NAMES: ReadonlySet<string> = new Set(STATES.toLowerCase().split(/[;\n]+/));

/** English names of the ISO 3166 countries, and other names too wide for a town; created on first use. */
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
 * Whether two places as written, narrow before wide ("Worcester, Massachusetts"), cannot be the same. That is so for two countries, two states, or
 * towns of different names, unless the texts show that one lies in the other. A town and a country can be the same place.
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
  // Two towns in one state may be a town and its suburb.
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
/** Areas that contain states or countries. */
const HOLDS_OTHERS = /^(?:u\.?s\.?a?\.?|united states|america|europe|asia|africa)$/;

/** Whether one may lie in the other. */
function isNested(one = '', other = ''): boolean {
  if (ISLES.has(one) && ISLES.has(other)) return true;
  return [one, other].some((place) => STATE_NAMES.has(place) || HOLDS_OTHERS.test(place));
}
