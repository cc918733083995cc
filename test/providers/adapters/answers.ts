import type { ResearchProvider } from '@lib/providers/research-provider';

import { failureOf, RESERVED_MICROS, Stand, type AdapterUnderTest } from './stand';

const STRANGE_COSTS = [
  'cost as=missing',
  'cost as=negative',
  'cost as=nan',
  'cost as=negative, usage as=negative',
  'cost as=nan, usage as=nan',
  'cost as=missing, usage as=missing',
];

export function testAnswers(adapter: AdapterUnderTest): void {
  describe('answers', () => {
    it('with a report, its sources and exactly what it charged', async () => {
      const stand = await Stand.build(adapter);
      const attempted = await stand.attempt();
      expect(attempted).toMatchObject({ error: null, report: { charge: { micros: stand.emulator.chargedMicros } } });
      expect(attempted.report?.markdown).toContain('Emulated answer');
      expect(stand.lines('submit')).toHaveLength(1);
      expect(attempted.started).toEqual(stand.wire.poll ? [stand.lines('submit')[0]?.runId] : []);
      stand.expectSound(attempted);
    });

    it('with marks that resolve, pages unified and different videos kept apart', async () => {
      const { report } = await (await Stand.build(adapter)).attempt();
      const marks = Array.from(report?.markdown.matchAll(/\[(\d+)\](?!\()/g) ?? [], ([, number]) => Number(number));
      const urls = new Map(report?.citations.map(({ index, url }) => [index, url]));
      expect(new Set(marks)).toEqual(new Set(urls.keys()));
      const hosts = Array.from(urls.values(), (url) => new URL(url).hostname.replace(/^www\./, ''));
      expect(hosts.sort()).toEqual([`${adapter.api}.example`, 'wren.example', 'youtube.com', 'youtube.com'].sort());
    });

    it('with spans that lie at the statements which the sources back', async () => {
      const { report } = await (await Stand.build(adapter)).attempt();
      const spans = report?.citations.filter(({ startIndex }) => startIndex !== null) ?? [];
      for (const { index, startIndex, endIndex, url } of spans) {
        const before = report?.markdown.slice(0, endIndex ?? 0).replace(/\s*$/, '') ?? '';
        const paragraph = before.slice(before.lastIndexOf('\n\n') + 2);
        expect(paragraph).toMatch(url.includes('aaaaaaaaaaa') ? /40 GB/ : url.includes('bbbbbbbbbbb') ? /55 GB/ : /Wren|emulated/);
        expect(`${paragraph}${report?.markdown.slice(endIndex ?? 0)}`).toMatch(new RegExp(`^[^\\n]*\\[${index}\\]`));
        expect(startIndex).toBeLessThan(endIndex ?? 0);
      }
    });

    it('slowly', async () => {
      const stand = await Stand.build(adapter, 'slow ms=120, slow ms=50 on=poll');
      const attempted = await stand.attempt();
      expect(attempted.report).not.toBeNull();
      stand.expectSound(attempted);
    });

    it('with the same report when its raw response is read again', async () => {
      const stand = await Stand.build(adapter);
      const { provider } = stand;
      let reads = 0;
      const readTwice: ResearchProvider['parse'] = (raw, request) => {
        reads += 1;
        expect(provider.parse(raw, request)).toEqual(provider.parse(raw, request));
        return provider.parse(raw, request);
      };
      const rereading = Object.assign(Object.create(provider) as ResearchProvider, { parse: readTwice });
      expect((await stand.attempt({}, rereading)).report).not.toBeNull();
      expect(reads).toBe(1);
    });
  });

  describe('answers strangely', () => {
    it('truncated: keeps what there is and says so in the report', async () => {
      const stand = await Stand.build(adapter, 'truncated');
      const attempted = await stand.attempt();
      expect(attempted.report?.markdown).toMatch(/ended this report early/);
      expect(attempted.report?.markdown).toContain('Emulated answer');
      stand.expectSound(attempted);
    });

    it('without citations: reports without sources', async () => {
      const stand = await Stand.build(adapter, 'no-citations');
      const attempted = await stand.attempt();
      expect(attempted.report?.citations).toEqual([]);
      stand.expectSound(attempted);
    });

    it('with 10,000 citations: keeps a bounded number of them or refuses the report, and knows the charge', async () => {
      const stand = await Stand.build(adapter, 'citations count=10000');
      const attempted = await stand.attempt({ maxResponseBytes: 32_000_000, deadlineMs: 50_000 });
      if (attempted.report) expect(attempted.report.citations.length).toBeLessThanOrEqual(2000);
      else expect(failureOf(attempted).errorClass).toBe('malformed');
      expect(attempted.bookedMicros).toBe(stand.emulator.chargedMicros);
      stand.expectSound(attempted);
    });

    it('with citations out of range: shows no span outside of the report', async () => {
      const stand = await Stand.build(adapter, 'citations-out-of-range');
      const attempted = await stand.attempt();
      const { markdown = '', citations = [] } = attempted.report ?? {};
      expect(citations.length).toBeGreaterThan(0);
      for (const { startIndex, endIndex } of citations) {
        const [start, end] = [startIndex ?? 0, endIndex ?? 1];
        expect(start >= 0 && start < end && end <= markdown.length).toBe(true);
      }
      stand.expectSound(attempted);
    });

    it.each(STRANGE_COSTS)('with %s: books a charge that is one none the less', async (behaviour) => {
      const stand = await Stand.build(adapter, behaviour);
      const attempted = await stand.attempt();
      const { micros, provenance } = attempted.report?.charge ?? {};
      expect(micros).toBeGreaterThanOrEqual(stand.emulator.chargedMicros);
      expect(micros).toBeLessThanOrEqual(RESERVED_MICROS);
      if (behaviour.includes('usage')) expect(provenance).toBe('estimated');
      stand.expectSound(attempted);
    });
  });
}
