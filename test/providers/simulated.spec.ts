import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SimulatedOptions } from '@lib/providers/simulated/options';
import { research } from '@lib/providers/research';
import { SimulatedProvider } from '@lib/providers/simulated/adapter';

import { testProviderContract } from './provider.contract';
import { newRun, requestOf, withDeadline } from './request';

const OPTIONS: SimulatedOptions = {
  latencyMs: 0,
  reportBytes: 2000,
  citations: 5,
  costCents: 0,
  overrunCents: 0,
  failureRate: 0,
  failureClass: 'unavailable',
  seed: 1,
  background: false,
  ledgerFile: null,
  reports: null,
};

const simulated = (changes: Partial<SimulatedOptions> = {}): SimulatedProvider => new SimulatedProvider({ ...OPTIONS, ...changes });
const steps = (count: number) => Array.from({ length: count }, (_, number) => requestOf({ stepId: `stp_${number}` }));

testProviderContract('simulated', async () => ({ provider: simulated(), request: {} }));

describe('a simulated report', () => {
  it.each([0, 1, 2000, 60_000])('is about %i bytes long', async (reportBytes) => {
    const { report } = await research(simulated({ reportBytes }), requestOf(), newRun);
    expect(report.markdown.length).toBeGreaterThanOrEqual(reportBytes);
    expect(report.markdown.length).toBeLessThan(reportBytes + 1000);
  });

  it('has as many sources as configured', async () => {
    const { report } = await research(simulated({ citations: 40 }), requestOf(), newRun);
    expect(report.citations).toHaveLength(40);
    expect((await research(simulated({ citations: 0 }), requestOf(), newRun)).report.citations).toEqual([]);
  });

  it('shares statements with the other providers of a question, and not all of them', async () => {
    const [first, second] = await Promise.all(
      (['provider-a', 'provider-b'] as const).map((provider) => research(simulated({ seed: 3 }), requestOf({ provider }), newRun)),
    );
    const sentences = (report: string | undefined) => new Set(report?.split(/ \[\d+\]\.\s*/));
    const shared = sentences(first?.report.markdown).intersection(sentences(second?.report.markdown));
    expect(shared.size).toBeGreaterThan(5);
    expect(first?.report.markdown).not.toBe(second?.report.markdown);
  });
});

describe('the charge of a simulated run', () => {
  it('is what is configured', async () => {
    const { report } = await research(simulated({ costCents: 7 }), requestOf(), newRun);
    expect(report.charge).toEqual({ micros: 70_000, provenance: 'reported' });
  });

  it('exceeds the reservation when an overrun is configured', async () => {
    const request = requestOf({ limits: { ...requestOf().limits, reservedMicros: 500_000 } });
    const { report } = await research(simulated({ costCents: 1, overrunCents: 3 }), request, newRun);
    expect(report.charge.micros).toBe(530_000);
  });
});

describe('failures of simulated runs', () => {
  it('come at the configured rate, with the configured class, and uncharged', async () => {
    const provider = simulated({ failureRate: 0.3, failureClass: 'rate_limited' });
    const outcomes = await Promise.allSettled(steps(400).map((request) => research(provider, request, newRun)));
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failures.length).toBeGreaterThan(80);
    expect(failures.length).toBeLessThan(160);
    expect(failures[0]?.reason).toMatchObject({ errorClass: 'rate_limited', details: { runEnded: true, charge: { micros: 0 } } });
  });

  it('hit the same attempts again with the same seed', async () => {
    const failed = async () => {
      const provider = simulated({ failureRate: 0.5 });
      const outcomes = await Promise.allSettled(steps(50).map((request) => research(provider, request, newRun)));
      return outcomes.map(({ status }) => status);
    };
    expect(await failed()).toEqual(await failed());
  });
});

describe('a simulated background run', () => {
  it('is recorded before it is waited for, and polled until its time has come', async () => {
    const provider = simulated({ latencyMs: 120, background: true });
    const order: string[] = [];
    const started = async (runId: string): Promise<void> => void order.push(`started ${runId.slice(0, 4)}`);
    const wait = async (milliseconds: number): Promise<void> => {
      order.push('wait');
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    };
    const { report } = await research(provider, requestOf(), { externalId: null, started, wait });
    expect(order.slice(0, 2)).toEqual(['started sim_', 'wait']);
    expect(report.citations).toHaveLength(5);
  });

  it('is finished by another process that knows no more than its id', async () => {
    let externalId = '';
    const submitted = simulated({ latencyMs: 80, background: true });
    await submitted.submit(requestOf(), async (runId) => void (externalId = runId));
    const elsewhere = simulated({ latencyMs: 80, background: true });
    const resumed = await research(elsewhere, requestOf({ attempt: 2 }), { ...newRun, externalId });
    const direct = await research(simulated(), requestOf(), newRun);
    expect(resumed.report).toEqual(direct.report);
  });

  it('ends when it is cancelled', async () => {
    const provider = simulated({ latencyMs: 60_000, background: true });
    let externalId = '';
    await provider.submit(requestOf(), async (runId) => void (externalId = runId));
    await provider.cancel(externalId);
    await expect(provider.poll(externalId, requestOf())).rejects.toMatchObject({ details: { runEnded: true } });
  });
});

describe('the ledger', () => {
  const ledger = () => join(mkdtempSync(join(tmpdir(), 'ledger-')), 'calls.jsonl');
  const entriesOf = (file: string) =>
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has a line for each submit and each cancel', async () => {
    const ledgerFile = ledger();
    const provider = simulated({ ledgerFile, latencyMs: 60_000, background: true });
    const cancelled = research(provider, requestOf({ attempt: 2, ...withDeadline(50) }), newRun);
    await expect(cancelled).rejects.toMatchObject({ errorClass: 'timeout' });
    const [submit, cancel, ...more] = entriesOf(ledgerFile);
    expect(submit).toMatchObject({ call: 'submit', stepId: 'stp_01k9', attempt: 2, provider: 'provider-a' });
    expect(cancel).toMatchObject({ call: 'cancel', stepId: 'stp_01k9', attempt: 2, runId: submit?.runId });
    expect(more).toEqual([]);
  });

  it('has no line for a resumed run', async () => {
    const ledgerFile = ledger();
    const provider = simulated({ ledgerFile, background: true });
    let externalId = '';
    await provider.submit(requestOf(), async (runId) => void (externalId = runId));
    await research(provider, requestOf({ attempt: 2 }), { ...newRun, externalId });
    expect(entriesOf(ledgerFile)).toHaveLength(1);
  });
});

describe('a simulated run without a run id', () => {
  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController();
    const run = research(simulated({ latencyMs: 60_000 }), requestOf({ signal: controller.signal }), newRun);
    controller.abort(new Error('the job was cancelled'));
    await expect(run).rejects.toThrow('the job was cancelled');
  });
});
