/**
 * The time at which a step that waits gives up, as SQL; null if it never does. If the time is past, the step was waiting for its turn, not for a
 * provider that is down: then it never gives up.
 * @param time the column with the time to give up
 */
export const stillGivesUp = (time: string): string => `case when ${time} > statement_timestamp() then ${time} end`;
