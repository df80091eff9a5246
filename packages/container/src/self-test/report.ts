/**
 * What became of an attempt, as the probe sees it: it `arrived`; it was `sent` and the browser did not say that it refused; the
 * browser `refused`; or nothing was heard of it (`silent`).
 */
export type Outcome = 'arrived' | 'sent' | 'refused' | 'silent';

/** What a probe tells the page. */
export interface Report {
  /** Tells one probe from others, and from whoever else posts messages. */
  readonly key: string;
  /** Id of a claim, or a step of the probe: `going`, `arrived`, `done`. */
  readonly claim: string;
  readonly outcome: Outcome;
  readonly detail?: string;
}

const outcomes: readonly unknown[] = ['arrived', 'sent', 'refused', 'silent'] satisfies Outcome[];

/** The report that a message brings, or undefined. */
export function readReport(data: unknown): Report | undefined {
  const { gantrySelfTest: report } = (data ?? {}) as { gantrySelfTest?: Partial<Report> };
  const { key, claim, outcome, detail } = report ?? {};
  if (typeof key !== 'string' || typeof claim !== 'string' || !outcomes.includes(outcome)) return undefined;
  return { key, claim, outcome: outcome as Outcome, ...(typeof detail === 'string' && { detail }) };
}

/** A report as it crosses. */
export function writeReport(report: Report): unknown {
  return { gantrySelfTest: report };
}
