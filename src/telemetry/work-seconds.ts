/** Buckets of a histogram, from a call of a tenth of a second to a research of a day. */
export const WORK_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200, 3600, 14_400, 86_400];
