import { ADAPTERS, createLanguageModel } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { readReportModel } from '@lib/settings/providers-file';
import { synthesisKey } from '@lib/settings/synthesis-settings';
import { Explorer } from '../synthesizer/explorer';
import type { ReportModel } from '../synthesizer/model-synthesis';
import type { RunTask } from '../reports/report-pool';
import { Synthesizer } from '../synthesizer/synthesizer';
import type { Data } from './data';
import type { Process } from './process';

export async function startSynthesizer(process: Process, { store }: Data, runTask: RunTask): Promise<void> {
  const { env, logger, intakes, transport, takers, identity, tracing } = process;
  const explorer = new Explorer({ store, transport, process: identity, runTask, logger });
  const model = await reportModel(env);
  const tools = { store, transport, process: identity, runTask, model, logger, heartbeatMs: env.HEARTBEAT_MS, tracing };
  const synthesizer = new Synthesizer(tools);
  intakes.add('explorer', (withinMs) => explorer.stop(withinMs));
  intakes.add('synthesizer', (withinMs) => synthesizer.stop(withinMs));
  await explorer.start();
  await synthesizer.start();
  takers.push((work, trace) => synthesizer.take(work, trace));
}

async function reportModel(env: Env): Promise<ReportModel | null> {
  const synthesis = readReportModel(env.PROVIDERS_FILE, ADAPTERS);
  if (!synthesis) return null;
  const languageModel = await createLanguageModel(synthesis, synthesisKey(synthesis, env.providerKeys));
  return { languageModel, name: synthesis.model, priceDate: synthesis.priceDate };
}
