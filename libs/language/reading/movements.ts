import { stemsOf } from './lexicon';

/** Stems of what says that a figure goes up; all forms count, nouns too. */
export const RISING = stemsOf('rise grow increase climb gain jump advance surge soar');
/** The same of what says that it goes down. */
export const FALLING = stemsOf('fall drop decline decrease shrink lose sink plunge slip slide dip');
/** Stems of what says that a figure is another than before, or is made another. */
export const MOVING: ReadonlySet<string> = new Set([
  ...RISING,
  ...FALLING,
  ...stemsOf(
    'raise improve widen expand lift double triple halve cut reduce lower narrow shorten lengthen extend contract ease change go move up down',
  ),
]);

/** What says that a figure is what it was. */
export const UNMOVED: ReadonlySet<string> = new Set('unchanged flat steady stable constant stagnant'.split(' '));
