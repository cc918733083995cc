import { connectAlone } from '@lib/store/postgres/pool';
import { withSessionName, type NamedProcess } from '@lib/store/postgres/session-name';
import type { Process } from './process';

/** While this process finishes its running work, a separate database session says so, for `research status`. Nothing waits for it. */
export function tellLeaving({ intakes, closing }: Process, databaseUrl: string, named: NamedProcess): void {
  let isOver = false;
  let close = async (): Promise<void> => undefined;
  intakes.add('leaving_session', async () => {
    connectAlone(withSessionName(databaseUrl, named, true)).then(
      (client) => {
        close = () => client.end();
        if (isOver) void close();
      },
      () => undefined,
    );
  });
  closing.deferBriefly(() => {
    isOver = true;
    return close();
  });
}
