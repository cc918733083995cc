import { stemsOf } from './lexicon';

/** Stems of words for a rising figure, including nouns. */
export const RISING = stemsOf('rise grow increase climb gain jump advance surge soar');
/** Stems of words for a falling figure. */
export const FALLING = stemsOf('fall drop decline decrease shrink lose sink plunge slip slide dip');
/** Stems of words for a figure that changes or is changed. */
export const MOVING: ReadonlySet<string> = new Set([
  ...RISING,
  ...FALLING,
  ...stemsOf(
    'raise improve widen expand lift double triple halve cut reduce lower narrow shorten lengthen extend contract ease change go move up down',
  ),
]);

/** Words for a figure that does not change. */
export const UNMOVED: ReadonlySet<string> = new Set('unchanged flat steady stable constant stagnant'.split(' '));
