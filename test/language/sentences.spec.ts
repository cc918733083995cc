import fc from '../support/properties';
import { splitSentences } from '@lib/language/sentences';

const textsOf = (text: string): string[] => splitSentences(text).map((sentence) => sentence.text);

/** Linear work takes milliseconds. */
const QUADRATIC_TAKES_MS = 10_000;

describe('splitSentences', () => {
  it.each<[string, string[]]>([
    ['One ends here. Another begins! Does it?', ['One ends here.', 'Another begins!', 'Does it?']],
    ['Dr. Smith met Prof. Jones. They spoke.', ['Dr. Smith met Prof. Jones.', 'They spoke.']],
    ['What Hi-Fi? ranks both. “Why?” she asked. Is it so? Yes.', ['What Hi-Fi? ranks both.', '“Why?” she asked.', 'Is it so?', 'Yes.']],
    ['Is Kelm safe? according to Ulm it is.', ['Is Kelm safe?', 'according to Ulm it is.']],
    ['It stands behind tower B. New York is loud.', ['It stands behind tower B.', 'New York is loud.']],
    ['On board was the naval officer F. Evan Wyatt. It sank.', ['On board was the naval officer F. Evan Wyatt.', 'It sank.']],
    ['It lacks vitamin C. Evan Wyatt said so.', ['It lacks vitamin C.', 'Evan Wyatt said so.']],
    ['It was founded by Drs. Ada Lund and Bo Ek. It grew.', ['It was founded by Drs. Ada Lund and Bo Ek.', 'It grew.']],
    ['It loses 1%. pgvector does not.', ['It loses 1%.', 'pgvector does not.']],
    [
      'It lost about 1 % [2]. iPhone sales rose in 2007. macOS fell.',
      ['It lost about 1 % [2].', 'iPhone sales rose in 2007.', 'macOS fell.'],
    ],
    ['It runs e.g. macOS. It costs 5 % p.a. in all.', ['It runs e.g. macOS.', 'It costs 5 % p.a. in all.']],
    ['Use a queue, e.g. NATS. It works.', ['Use a queue, e.g. NATS.', 'It works.']],
    [
      'She wrote it in the J. Clin. Med. in 2020. It was printed in Proc. Natl. Acad. Sci. too.',
      ['She wrote it in the J. Clin. Med. in 2020.', 'It was printed in Proc. Natl. Acad. Sci. too.'],
    ],
    ['It takes 90 ms. Drizzle is new. Ms. Lund left.', ['It takes 90 ms.', 'Drizzle is new.', 'Ms. Lund left.']],
    ['It rang at 6:53 p.m. [1]. To the question he said yes.', ['It rang at 6:53 p.m. [1].', 'To the question he said yes.']],
    ['It is owned by Kelm Inc. [1][2]. The rest is not.', ['It is owned by Kelm Inc. [1][2].', 'The rest is not.']],
    ['It costs 3.50 dollars. Version 1.2.3 is out.', ['It costs 3.50 dollars.', 'Version 1.2.3 is out.']],
    ['J. K. Rowling wrote it. John F. Kennedy read it.', ['J. K. Rowling wrote it.', 'John F. Kennedy read it.']],
    ['John P. Adair sold it to V. S. Naipaul. He left.', ['John P. Adair sold it to V. S. Naipaul.', 'He left.']],
    [
      'Its star, forward J. T. Barnes, was led by E. Marsh and Dr. J. R. R. Tolkien. It ended.',
      ['Its star, forward J. T. Barnes, was led by E. Marsh and Dr. J. R. R. Tolkien.', 'It ended.'],
    ],
    ['Ada Holm (b. 4 Apr. 1961, d. 12 Jan. 2015) sang. She won.', ['Ada Holm (b. 4 Apr. 1961, d. 12 Jan. 2015) sang.', 'She won.']],
    ['Jan Holm (c. 1891 – 29 October 1961) sang. He won.', ['Jan Holm (c. 1891 – 29 October 1961) sang.', 'He won.']],
    ['In Brown v. Board of Education it was decided. It held.', ['In Brown v. Board of Education it was decided.', 'It held.']],
    [
      'Toyota Motor Co. Ltd. Chairman Ito left Acme Inc. Later he came.',
      ['Toyota Motor Co. Ltd. Chairman Ito left Acme Inc.', 'Later he came.'],
    ],
    ['Warner Bros. Pictures made it. King Jr. Day came.', ['Warner Bros. Pictures made it.', 'King Jr. Day came.']],
    ['It was bought by Acme Corp. The price is secret.', ['It was bought by Acme Corp.', 'The price is secret.']],
    [
      'The Party Wall etc. Act 1996 applies. They sell pipes etc. The end.',
      ['The Party Wall etc. Act 1996 applies.', 'They sell pipes etc.', 'The end.'],
    ],
    ['It opened at 5 p.m. Monday. It closed at 6 p.m. The end.', ['It opened at 5 p.m. Monday.', 'It closed at 6 p.m.', 'The end.']],
    [
      'See p. 5 of v. 2 for it. Vaccines against hepatitis B and C. Others fail.',
      ['See p. 5 of v. 2 for it.', 'Vaccines against hepatitis B and C.', 'Others fail.'],
    ],
    ['The preset E. Piano 1 is loud. It hums.', ['The preset E. Piano 1 is loud.', 'It hums.']],
    ['He takes vitamin C. The dose is small.', ['He takes vitamin C.', 'The dose is small.']],
    ['The mill was closed [1]. 45 people left [2].', ['The mill was closed [1].', '45 people left [2].']],
    ['Most were rescued [1][2]. 62% of the crew left.', ['Most were rescued [1][2].', '62% of the crew left.']],
    ['The mill was closed. 45 people left.', ['The mill was closed.', '45 people left.']],
    ['It had a website.[1] 4chat was fined. 40 % paid.', ['It had a website.[1]', '4chat was fined.', '40 % paid.']],
    ['It weighs approx. 45 kg and has no. 5 on it.', ['It weighs approx. 45 kg and has no. 5 on it.']],
    ['See Fig. 3 and No. 12 for it. Then stop.', ['See Fig. 3 and No. 12 for it.', 'Then stop.']],
    [
      'Edit package.json and server.ts first. Node.js reads README.md next.',
      ['Edit package.json and server.ts first.', 'Node.js reads README.md next.'],
    ],
    ['He waited... and left. Nobody came.', ['He waited... and left.', 'Nobody came.']],
    ['The text [...] Goes on. End.', ['The text [...] Goes on.', 'End.']],
    ['Call https://example.org/Find?Q=a!B.html today. Then wait.', ['Call https://example.org/Find?Q=a!B.html today.', 'Then wait.']],
    ['A fact.[1][2] Another fact. [3] A third [4].', ['A fact.[1][2]', 'Another fact. [3]', 'A third [4].']],
    [
      'A fact ([Source](https://a.example/x.y)). Another.[Wiki](https://b.example) Third.',
      ['A fact ([Source](https://a.example/x.y)).', 'Another.[Wiki](https://b.example)', 'Third.'],
    ],
    [
      'A wrapped\nline stays one sentence. Two.\n\nno full stop here\n\nThree',
      ['A wrapped\nline stays one sentence.', 'Two.', 'no full stop here', 'Three'],
    ],
    ['It ends. `reply.send()` sends it. `a. B` is code.', ['It ends.', '`reply.send()` sends it.', '`a. B` is code.']],
    [
      'It ends [1]. [fastify](https://a.example) handles it. [`Pool`](https://b.example) keeps it.',
      ['It ends [1].', '[fastify](https://a.example) handles it.', '[`Pool`](https://b.example) keeps it.'],
    ],
    [
      'It ends. <b>The roof</b> is red.</b> <i>It</i> is <i>old</i>.',
      ['It ends.', '<b>The roof</b> is red.</b>', '<i>It</i> is <i>old</i>.'],
    ],
    ['It ends [1]. \u202EThe bell rings.\u200F It stops.', ['It ends [1].', '\u202EThe bell rings.\u200F', 'It stops.']],
    ...[
      '[cite: 1, 3]',
      ' [cite: 2] [cite_start]',
      '[web:4]',
      ' [source 2, source 3]',
      '【12†L3-L9】',
      '【oaicite:2】',
      ':contentReference[oaicite:3]{index=3}',
      '\uE200cite\uE202turn0search1\uE202turn1view0\uE201',
      'citeturn0search1turn2view0',
      '<sup>2,3</sup>',
      '<source>https://a.example/x</source>',
      '¹ ²',
      '\\[4\\]',
      '\\[^4]',
    ].map((mark): [string, string[]] => [`It ends.${mark} Another ends.`, [`It ends.${mark}`, 'Another ends.']]),
    ['It spans 3 km². It ends.<br>Another ends.', ['It spans 3 km².', 'It ends.<br>', 'Another ends.']],
    ['これは文です。次の文です。', ['これは文です。', '次の文です。']],
    ['هذه جملة. هل هذه جملة؟ نعم.', ['هذه جملة.', 'هل هذه جملة؟', 'نعم.']],
    ['   ', []],
    ['', []],
  ])('%s', (text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  it('gives exact slices in order that leave out nothing but white space', () => {
    const piece = fc.constantFrom(
      'Dr. ',
      'a b',
      '. ',
      '? ',
      '[1]',
      '\n',
      '\n\n',
      '…',
      '3.5',
      'U.S. ',
      '。',
      ' ',
      '](http://a.b/c?d)',
      '[x',
      '\r\n',
      '😀',
      'é',
      '"',
    );
    const anyText = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        let done = 0;
        for (const sentence of splitSentences(text)) {
          expect(text.slice(sentence.start, sentence.end)).toBe(sentence.text);
          expect(sentence.text.trim()).toBe(sentence.text);
          expect(text.slice(done, sentence.start).trim()).toBe('');
          done = sentence.end;
        }
        expect(text.slice(done).trim()).toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['prose', 'The quick brown fox jumps over the lazy dog. '],
    ['full stops', '.'],
    ['open brackets', '.['],
    ['marks', '.[1]'],
    ['links', '.[a](b'],
    ['initials', 'A. '],
    ['line breaks', '\n'],
    ['spaces', '. \n \n'],
    ['addresses', 'http://'],
    ['link targets', ']('],
    ['ideographs', '句。'],
    ['open code', '. `a'],
    ['open tags', '. <a '],
    ['open labels', '. [a'],
    ['unseen characters', '. \u200B'],
  ])('splits 200 KB of %s before the time limit of a test', (_name, unit) => {
    expect(splitSentences(unit.repeat(Math.ceil(200_000 / unit.length)))).toEqual(expect.any(Array));
  });

  it.each([
    ['full stops', '.'],
    ['exclamation marks', '!'],
  ])('looks once at 200 KB of %s before a word', (_name, unit) => {
    const started = performance.now();
    expect(splitSentences(`Look ${unit.repeat(200_000)}here`)).toHaveLength(1);
    expect(performance.now() - started).toBeLessThan(QUADRATIC_TAKES_MS);
  });
});
