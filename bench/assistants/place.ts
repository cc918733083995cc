/** Where a sentence stands in a report, in UTF-16 units. */
export interface Place {
  stepId: string;
  start: number;
  end: number;
}
