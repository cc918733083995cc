import { audit } from '../support/auditor';
import { isJob, type StoredRow } from '../support/histories';
import type { Supervisor } from '../support/supervisor';
import { research } from '../system/support/command';
import type { Customers } from './customers';
import type { Receivers } from './receivers';

/** What a restart must not do, and what it did of that. */
export interface Broken {
  /** Of the histories, the views, the money and the calls at the providers, as after any fault. */
  faults: string[];
  /** Attempts that ended without a result, and whose run nobody went on with. */
  lostForGood: string[];
  /** Runs that a step was given though the one before had not failed. */
  paidTwice: string[];
  /** Of what the endpoints of webhooks were told. */
  told: string[];
  /** What `research verify` says, if it is not content. */
  verify: string[];
}

export const NOTHING_BROKEN: Broken = { faults: [], lostForGood: [], paidTwice: [], told: [], verify: [] };

interface World {
  customers: Customers;
  receivers: Receivers;
}
interface Looked {
  broken: Broken;
  events: StoredRow[];
}

export async function lookForBrokenPromises(supervisor: Supervisor, { customers, receivers }: World): Promise<Looked> {
  const { histories, faults } = await audit(supervisor, { accepted: customers.jobs, canaries: customers.canaries });
  const jobs = [...histories.values()].filter(isJob);
  const steps = jobs.flatMap((history) =>
    [...Map.groupBy(history, ({ facts }) => facts.stepId)].flatMap(([id, events]) => (id ? [events] : [])),
  );
  const events = [...histories.values()].flat();
  const verified = await research(['verify'], { DATABASE_URL: supervisor.database.url });
  return {
    broken: {
      faults: Object.entries(faults).flatMap(([kind, found]) => found.map((fault) => `${kind}: ${JSON.stringify(fault)}`)),
      lostForGood: steps.flatMap(lostForGood),
      paidTwice: steps.flatMap(paidTwice),
      told: receivers.faults(events),
      verify: verified.code === 0 ? [] : [`${verified.stdout}${verified.stderr}`],
    },
    events,
  };
}

/** Another worker goes on with a run. */
export const isResumption = ({ type, facts }: StoredRow): boolean => type === 'StepStarted' && Number(facts.attempt) > Number(facts.run);

/** An attempt may be given up only for another one that goes on with its run. */
function lostForGood(step: readonly StoredRow[]): string[] {
  return step.flatMap((event, place) => {
    if (event.type !== 'StepAttemptLost') return [];
    const next = step.slice(place + 1).find(({ type }) => type === 'StepStarted');
    return next?.facts.run === event.facts.run ? [] : [placeOf(event)];
  });
}

/** Another run is begun only after the provider has failed. */
function paidTwice(step: readonly StoredRow[]): string[] {
  let mayBegin = true;
  let run: unknown = null;
  return step.flatMap((event) => {
    const { type, facts } = event;
    if (type === 'StepFailed') mayBegin = true;
    if (type !== 'StepStarted' || facts.run === run) return [];
    const isAllowed = mayBegin;
    [run, mayBegin] = [facts.run, false];
    return isAllowed ? [] : [placeOf(event)];
  });
}

const placeOf = ({ streamId, version, type, facts }: StoredRow): string => `${streamId}/${version} ${type} ${JSON.stringify(facts)}`;
