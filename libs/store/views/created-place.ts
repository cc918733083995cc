import { isId, type IdKind } from '@lib/domain/ids';

/** The place of a row in a list ordered by creation, independent of rows added or removed before it. */
export interface CreatedPlace {
  createdAt: Date;
  id: string;
}

const PLACE = /^(\d{1,15})\.(\w{30})$/;
const LATEST_MS = 8.64e15;

export const writeCreatedPlace = ({ createdAt, id }: CreatedPlace): string => `${createdAt.getTime()}.${id}`;

export function readCreatedPlace(kind: IdKind, text: string): CreatedPlace | undefined {
  const [, time, id = ''] = PLACE.exec(text) ?? [];
  const createdAt = new Date(Number(time));
  return isId(kind, id) && createdAt.getTime() < LATEST_MS ? { createdAt, id } : undefined;
}
