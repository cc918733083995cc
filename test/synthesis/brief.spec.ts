import { briefOf } from '@lib/synthesis/brief';
import type { SynthesisStep } from '@lib/synthesis/synthesis';
import type { ProviderId } from '@lib/domain/vocabulary';

const step = (provider: ProviderId, sentence: string): SynthesisStep => ({
  stepId: `stp_${provider}`,
  provider,
  status: 'completed',
  reportMarkdown: `${sentence} [1]`,
  citations: [
    {
      index: 1,
      url: `https://${provider}.example/a`,
      title: null,
      snippet: null,
      startIndex: null,
      endIndex: null,
      publishedAt: null,
      domain: null,
    },
  ],
  errorMessage: null,
  failure: null,
  truncated: false,
});

const QUERY = 'How many seconds does the lease of a worker last, and who renews it?';

describe('the brief of a methodical job', () => {
  it('does not exist before the first report', () => {
    expect(briefOf({ query: QUERY, steps: [] })).toBeNull();
  });

  it('names what one report says alone and what of the question none covers', () => {
    const brief = briefOf({ query: QUERY, steps: [step('provider-a', 'The lease of a worker lasts 30 seconds in the default settings.')] });
    expect(brief).toContain('confirm or refute');
    expect(brief).toContain('lasts 30 seconds');
    expect(brief).toMatch(/Not covered yet:\n(- .*\n)*- renews/);
  });

  it('puts a dispute first, with both sides', () => {
    const steps = [
      step('provider-a', 'The lease of a worker lasts 30 seconds in the default settings.'),
      step('provider-b', 'The lease of a worker lasts 90 seconds in the default settings.'),
    ];
    expect(briefOf({ query: QUERY, steps })).toMatch(/^Disputed so far.*\n- .*30 seconds.*against: .*90 seconds/);
  });

  it('reads a short form as what another report explains', () => {
    const steps = [
      step('provider-a', 'The Kelm Lease Server (KLS) grants leases. The Kelm Lease Server stores 30 leases in its default settings.'),
      step('provider-b', 'KLS stores 90 leases in its default settings.'),
    ];
    expect(briefOf({ query: QUERY, steps })).toMatch(/^Disputed so far.*\n- .*30 leases.*against: .*90 leases/);
  });

  it('is the same whatever the order of the steps', () => {
    const steps = [
      step('provider-b', 'Heartbeats of the worker renew its lease every 10 seconds.'),
      step('provider-a', 'A lease lasts 30 seconds.'),
    ];
    expect(briefOf({ query: QUERY, steps })).toBe(briefOf({ query: QUERY, steps: steps.toReversed() }));
  });
});
