import type { BudgetTier, ResearchMode } from '@lib/domain/vocabulary';

/** How much is recorded at most, and how much the sections before the last may show; the last one shows the rest. */
export interface ReportLimits {
  /** Recorded with the job and shown in the report. */
  claims: number;
  /** Claims or topics in the sections of the report. */
  answer: number;
  agreed: number;
  alone: number;
  topics: number;
  followOns: number;
}

/** In a fast job's report, the sections before the last fit on one screen. */
const LIMITS: Readonly<Record<ResearchMode, Readonly<Record<BudgetTier, ReportLimits>>>> = {
  fast: {
    XXS: { claims: 20, answer: 2, agreed: 2, alone: 2, topics: 0, followOns: 1 },
    XS: { claims: 30, answer: 3, agreed: 3, alone: 3, topics: 0, followOns: 2 },
    S: { claims: 40, answer: 4, agreed: 4, alone: 4, topics: 4, followOns: 2 },
    M: { claims: 100, answer: 7, agreed: 5, alone: 5, topics: 8, followOns: 3 },
    L: { claims: 150, answer: 7, agreed: 6, alone: 6, topics: 8, followOns: 3 },
    XL: { claims: 200, answer: 8, agreed: 8, alone: 6, topics: 10, followOns: 4 },
  },
  methodical: {
    XXS: { claims: 30, answer: 3, agreed: 3, alone: 3, topics: 0, followOns: 2 },
    XS: { claims: 40, answer: 4, agreed: 4, alone: 4, topics: 4, followOns: 3 },
    S: { claims: 60, answer: 5, agreed: 6, alone: 5, topics: 6, followOns: 3 },
    M: { claims: 130, answer: 8, agreed: 8, alone: 6, topics: 8, followOns: 4 },
    L: { claims: 170, answer: 8, agreed: 10, alone: 8, topics: 10, followOns: 5 },
    XL: { claims: 200, answer: 8, agreed: 12, alone: 10, topics: 10, followOns: 5 },
  },
};

export function limitsOf(tier: BudgetTier, mode: ResearchMode): ReportLimits {
  return LIMITS[mode][tier];
}

/** Each further part of a question ("… and what does it cost?") has a line more, up to this number. */
const MOST_FOR_PARTS = 2;

/** How many lines an answer has at most, unless it is from documents. */
export const linesOfAnswer = ({ answer }: ReportLimits, parts: number): number => answer + Math.min(MOST_FOR_PARTS, Math.max(0, parts - 1));
