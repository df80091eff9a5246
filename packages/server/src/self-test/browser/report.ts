/**
 * Outcome of an attempt, as the probe sees it: it `arrived`; it was `sent` and the browser reported
 * no refusal; the browser `refused` it; or there was no sign of it (`silent`).
 */
export type Outcome = 'arrived' | 'sent' | 'refused' | 'silent';

/** Message of a probe to the page. */
export interface Report {
  /** Key of the probe, which other senders of messages do not know. */
  readonly key: string;
  /** Id of a claim, or a step of the probe: `going`, `arrived`, `done`. */
  readonly claim: string;
  readonly outcome: Outcome;
  readonly detail?: string;
}

const outcomes: readonly unknown[] = ['arrived', 'sent', 'refused', 'silent'] satisfies Outcome[];

/** Returns the report in a message, `undefined` if there is none. */
export function readReport(data: unknown): Report | undefined {
  const { gantrySelfTest: report } = (data ?? {}) as { gantrySelfTest?: Partial<Report> };
  const { key, claim, outcome, detail } = report ?? {};
  if (typeof key !== 'string' || typeof claim !== 'string' || !outcomes.includes(outcome)) return undefined;
  return { key, claim, outcome: outcome as Outcome, ...(typeof detail === 'string' && { detail }) };
}
