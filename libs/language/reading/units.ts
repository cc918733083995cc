import { stemOf } from '../tokens';

/** A unit of measure. Amounts of the same dimension are comparable after multiplication by their factors. */
export interface Unit {
  dimension: string;
  factor: number;
}

/** Names of each unit, and its size in metres, grams, seconds, bytes (decimal prefixes), watts, watt-hours, hertz, square metres or litres. */
const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    length:
      'mm millimetre millimeter:0.001;cm centimetre centimeter:0.01;m metre meter:1;km kilometre kilometer:1000;in inch inche:0.0254;ft foot feet:0.3048;yd yard:0.9144;mi mile:1609.344',
    mass: 'mg milligram:0.001;g gram:1;kg kilogram kilo:1000;t tonne:1000000;lb pound lbs:453.592;oz ounce:28.3495',
    time: 'ms millisecond:0.001;s sec second:1;min minute:60;h hr hour:3600;day:86400;week:604800',
    calendar: 'month:1;year:12;decade:120;century:1200',
    data: 'byte:1;kb kilobyte:1000;mb megabyte:1000000;gb gigabyte:1000000000;tb terabyte:1000000000000',
    power: 'watt:1;kw kilowatt:1000;mw megawatt:1000000;gw gigawatt:1000000000',
    energy: 'kwh:1000;mwh:1000000;gwh:1000000000;twh:1000000000000',
    frequency: 'hz hertz:1;khz kilohertz:1000;mhz megahertz:1000000;ghz gigahertz:1000000000',
    area: 'ha hectare:10000;acre:4046.86',
    volume: 'ml millilitre milliliter:0.001;l litre liter:1',
    share: '% percent:1',
    celsius: '°c:1',
    fahrenheit: '°f:1',
    speed: 'km/h kmh:1;mph:1.609344;m/s:3.6',
    dollars: '$ dollar usd:1',
    euros: '€ euro eur:1',
    pounds: '£ gbp:1',
    yen: '¥ yen jpy:1',
    'swiss francs': 'chf:1',
    'norwegian kroner': 'nok:1',
    'swedish kronor': 'sek:1',
    'danish kroner': 'dkk:1',
    rupees: 'inr:1',
    zloty: 'pln:1',
  }).flatMap(([dimension, units]) =>
    units.split(';').flatMap((entry) => {
      const [names = '', factor] = entry.split(':');
      const unit = { dimension, factor: Number(factor) };
      return names.split(' ').map((name): [string, Unit] => [name, unit]);
    }),
  ),
);

const DIMENSIONS: ReadonlySet<string> = new Set([...UNITS.values()].map(({ dimension }) => dimension));

/** Whether the unit of an amount is one of measure, and not the name of what is counted. */
export const isMeasure = (unit: string): boolean => DIMENSIONS.has(unit);

/** Whether negative values are meaningful for a dimension. Elsewhere a minus mostly means a decrease: "a change of -3 %". */
export const hasSign = (dimension: string): boolean => dimension === 'celsius' || dimension === 'fahrenheit';

/** Whether a dimension is one of time: milliseconds to weeks, or months to centuries. */
export const isOfTime = (dimension: string): boolean => dimension === 'time' || dimension === 'calendar';

const CURRENCIES = new Set('dollars,euros,pounds,yen,swiss francs,norwegian kroner,swedish kronor,danish kroner,rupees,zloty'.split(','));

/** Whether a dimension is a currency. */
export const isCurrency = (dimension: string): boolean => CURRENCIES.has(dimension);

const CURRENCY_CODES = new Set('usd eur gbp jpy chf nok sek dkk inr pln'.split(' '));

/** Whether a word is a currency code, which may stand before its number: "NOK 1,800". Expects a lower-cased word. */
export const isCurrencyCode = (word: string): boolean => CURRENCY_CODES.has(word);

/** The unit with this name or sign, singular or plural; null for a word that is only counted. */
export function unitOf(name: string): Unit | null {
  const lower = name
    .toLowerCase()
    .replace(/\s/g, '')
    .replace(/^percent.*/, '%');
  return UNITS.get(lower) ?? UNITS.get(lower.replace(/s$/, '')) ?? UNITS.get(stemOf(lower)) ?? null;
}
