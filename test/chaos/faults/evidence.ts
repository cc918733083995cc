import type { Deployment } from '../deployment';
import type { PlannedFault } from '../schedule';

/** What shows that a fault really happened; null if nothing does. */
export type Evidence = string | null;

/** Does something to the deployment, undoes it after its time, and tells what came of it. */
export type Fault = (deployment: Deployment, planned: PlannedFault) => Promise<Evidence>;
