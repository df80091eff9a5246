/** Words for each thing tried, by the mode of isolation: `works`, or a result of the self-test. */
export type Row = Readonly<Partial<Record<string, string>>>;

/** Rows of each part, by what was tried. */
export type Outcomes = Readonly<Record<string, Readonly<Record<string, Row>>>>;

/** Joins outcomes of several runs of parts. */
export function joinOutcomes(all: readonly Outcomes[]): Outcomes {
  const joined: Record<string, Record<string, Record<string, string | undefined>>> = {};
  for (const outcomes of all) {
    for (const [part, rows] of Object.entries(outcomes)) {
      joined[part] ??= {};
      for (const [name, row] of Object.entries(rows)) joined[part][name] = { ...joined[part][name], ...row };
    }
  }
  return joined as Outcomes;
}

/** A whole run: each browser's version and outcomes, by its name. */
export type Run = Readonly<Record<string, { readonly version: string; readonly outcomes: Outcomes }>>;
