import { withClosest } from '@lib/synthesis/same-point/closest';
import fc from '../support/properties';

type Likeness = [left: number, right: number, likeness: number];

const alikeIn =
  (known: readonly Likeness[]) =>
  (one: number, other: number): number =>
    known.find(([left, right]) => (left === one && right === other) || (left === other && right === one))?.[2] ?? 0;

const groupsOf = (groups: number[][], known: readonly Likeness[], apart: readonly number[] = []): number[][] =>
  withClosest(groups, 5, alikeIn(known), (one, other) => apart.includes(one) && apart.includes(other));

describe('what is in no group', () => {
  it.each<[string, number[][], Likeness[], number[], number[][]]>([
    ['makes one with what it is closest to, if that is closest to it', [], [[0, 1, 0.23]], [], [[0, 1]]],
    [
      'stays alone where it is closest to what is closer to another',
      [],
      [
        [0, 1, 0.25],
        [1, 2, 0.28],
      ],
      [],
      [[1, 2]],
    ],
    ['stays alone where nothing is close enough', [], [[0, 1, 0.21]], [], []],
    ['stays alone where what is closest tells something else', [], [[0, 1, 0.32]], [0, 1], []],
    [
      'joins the group of what it is closest to',
      [[0, 1]],
      [
        [1, 2, 0.31],
        [0, 2, 0.08],
      ],
      [],
      [[0, 1, 2]],
    ],
    [
      'joins none where it is too unlike another of it',
      [[0, 1]],
      [
        [1, 2, 0.33],
        [0, 2, 0.06],
      ],
      [],
      [[0, 1]],
    ],
    [
      'joins none where another of it tells something else',
      [[0, 1]],
      [
        [1, 2, 0.33],
        [0, 2, 0.2],
      ],
      [0, 2],
      [[0, 1]],
    ],
    [
      'joins none that is not close enough',
      [[0, 1]],
      [
        [1, 2, 0.29],
        [0, 2, 0.29],
      ],
      [],
      [[0, 1]],
    ],
    [
      'joins none while it is closer to what stands alone',
      [[0, 1]],
      [
        [1, 2, 0.31],
        [0, 2, 0.31],
        [2, 3, 0.32],
      ],
      [],
      [
        [0, 1],
        [2, 3],
      ],
    ],
  ])('%s', (_, groups, known, apart, expected) => {
    expect(groupsOf(groups, known, apart)).toEqual(expected);
  });

  it('never stands twice, and leaves the groups that are there together', () => {
    const row = fc.array(fc.double({ min: 0, max: 0.5, noNaN: true }), { minLength: 25, maxLength: 25 });
    fc.assert(
      fc.property(row, fc.boolean(), (likenesses, hasGroup) => {
        const given = hasGroup ? [[1, 3]] : [];
        const groups = withClosest(
          given,
          5,
          (one, other) => likenesses[Math.min(one, other) * 5 + Math.max(one, other)] ?? 0,
          () => false,
        );
        const places = groups.flat();
        expect(new Set(places).size).toBe(places.length);
        expect(groups.slice(0, given.length).map((group) => group.slice(0, 2))).toEqual(given);
      }),
    );
  });
});
