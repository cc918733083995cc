import canonicalize from 'canonicalize';
import fc from '../support/properties';
import { canonicalJson } from '@lib/store/history/canonical-json';

describe('canonical JSON', () => {
  it('is what RFC 8785 says, byte for byte', () => {
    const text = fc.string({ unit: 'binary' });
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.maxSafeInteger());
    const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(text, fc.option(tie('value'), { nil: undefined }))),
    }));
    fc.assert(
      fc.property(value, (given) => expect(canonicalJson(given)).toBe(canonicalize(given))),
      { numRuns: 1000 },
    );
  });

  it('sorts names by their UTF-16 units, not as a language would', () => {
    expect(canonicalJson({ é: 1, z: 2, '\u{1F600}': 3, '\uFB33': 4, '10': 5, '9': 6, Z: 7 })).toBe(
      `{"10":5,"9":6,"Z":7,"z":2,"é":1,"\u{1F600}":3,"\uFB33":4}`,
    );
  });

  it.each([[NaN], [Infinity], ['\uD800'], [{ '\uDC00': 1 }]])('has no form for %p', (given) => {
    expect(() => canonicalJson(given)).toThrow('canonical');
  });
});
