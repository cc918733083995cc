import { LOST_AFTER_POLLS } from '@lib/providers/patient-poll';
import { research } from '@lib/providers/research';
import type { ResearchProvider, ResearchRequest } from '@lib/providers/research-provider';

import { newRun, requestOf } from './request';

export interface ProviderUnderTest {
  provider: ResearchProvider;
  /** A request that the provider answers with sources. */
  request: Partial<ResearchRequest>;
}

/** What every adapter must do, whatever stands behind it. */
export function testProviderContract(name: string, make: () => Promise<ProviderUnderTest>): void {
  describe(`${name} as a research provider`, () => {
    const answered = async () => {
      const { provider, request } = await make();
      return { provider, request, ...(await research(provider, requestOf(request), newRun)) };
    };

    it('answers with a report, sources and a charge', async () => {
      const { report, rawSha256 } = await answered();
      expect(report.markdown.trim()).not.toBe('');
      expect(report.citations.length).toBeGreaterThan(0);
      expect(Number.isSafeInteger(report.charge.micros)).toBe(true);
      expect(rawSha256).toMatch(/^[0-9a-f]{64}$/);
    });

    it('gives every mark of the report a source and every source a mark', async () => {
      const { report } = await answered();
      const marks = new Set(Array.from(report.markdown.matchAll(/ \[(\d+)\](?!\()/g), ([, number]) => Number(number)));
      expect([...marks].sort(ascending)).toEqual(report.citations.map(({ index }) => index).sort(ascending));
    });

    it('points each source at the part of the report that carries its mark', async () => {
      const { report } = await answered();
      for (const { index, startIndex, endIndex, url } of report.citations) {
        expect(report.markdown.slice(startIndex ?? 0, endIndex ?? 0)).toContain(`[${index}]`);
        expect(URL.canParse(url)).toBe(true);
      }
    });

    it('gives the same report for the same question, also when a raw response is read again', async () => {
      const first = await answered();
      const second = await answered();
      expect(second.report).toEqual(first.report);
      const state = await first.provider.submit(requestOf(first.request), newRun.started);
      if (state.state !== 'finished') throw new Error('this suite expects runs that end at once');
      expect(first.provider.parse(state.raw, requestOf(first.request))).toEqual(first.provider.parse(state.raw, requestOf(first.request)));
    });

    it('does nothing for a request that was aborted before', async () => {
      const { provider, request } = await make();
      const aborted = requestOf({ ...request, signal: AbortSignal.abort(new Error('cancelled')) });
      await expect(provider.submit(aborted, newRun.started)).rejects.toThrow('cancelled');
    });

    it('says that a run is lost which it does not know', async () => {
      const { provider, request } = await make();
      const pollUntilLost = async (): Promise<void> => {
        for (let polls = 0; polls < LOST_AFTER_POLLS; polls += 1) await provider.poll('no such run', requestOf(request));
      };
      await expect(pollUntilLost()).rejects.toMatchObject({ name: 'ProviderError', errorClass: 'lost' });
    });

    it('takes the cancellation of a run that is over or was never there', async () => {
      const { provider } = await make();
      await expect(provider.cancel('no such run')).resolves.toBeUndefined();
    });
  });
}

const ascending = (left: number, right: number): number => left - right;
