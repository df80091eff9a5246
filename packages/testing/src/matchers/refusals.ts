import { createExplainer, type Entry, type Explanation, type ManifestFacts } from '@gantry/lab/record';
import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { fits } from '../uncaught-errors.ts';
import { brief, cut, listed } from './brief.ts';
import { retry, whyUnsettled } from './retry.ts';
import type { LookAt } from './shown.ts';

/** Errors of the network and faults of a test are no refusals. */
const noRefusals: readonly string[] = ['unreachable', 'outcome-unknown'];
const madeByTest = /^The lab made this call fail/;

/**
 * Passes when nothing was refused until the gadget is settled: no call, no file or connection by
 * its policy, nothing by its sandbox, and no limit. The message has each cure. Calls that the test
 * made fail do not count.
 *
 * @example
 * await expect(gadget).toHaveNoRefusals({ except: [/alert/] });
 * @param options.except Refusals that are meant, by a part of their text or an expression for it.
 */
export async function toHaveNoRefusals(
  this: ExpectMatcherState,
  gadget: ShownGadget,
  { except = [], ...look }: { readonly except?: readonly (string | RegExp)[] } & LookAt = {},
): Promise<MatcherReturnType> {
  const { isNot } = this;
  let manifest: ManifestFacts | undefined;
  const unexpected = (): readonly Refused[] =>
    refusalsOf(gadget, manifest).filter(({ lines }) => !except.some((one) => fits(lines.join('\n'), one)));
  return retry(this, {
    gadget,
    matcher: 'toHaveNoRefusals',
    async check(leftMs) {
      manifest = await gadget.lab?.manifest(gadget.app);
      let refused = unexpected();
      if (refused.length === 0 && !isNot) {
        const problem = await whyUnsettled(gadget, leftMs, look);
        if (problem) return { pass: false, isFinal: true, lines: () => [problem] };
        refused = unexpected();
      }
      const pass = refused.length === 0;
      const head = pass ? 'Nothing was refused to the app.' : `Refused to ${gadget.app}:`;
      return { pass, isFinal: !pass, lines: () => [head, ...shown(refused)] };
    },
  });
}

interface Refused {
  readonly key: string;
  readonly lines: readonly string[];
}

function refusalsOf(gadget: ShownGadget, manifest: ManifestFacts | undefined): readonly Refused[] {
  const explain = createExplainer({ manifestOf: () => manifest });
  return gadget.record.flatMap((entry) => refusalOf(entry, explain(entry)) ?? []);
}

function refusalOf(entry: Entry, explained: Explanation | undefined): Refused | undefined {
  if (entry.kind === 'reply' || entry.kind === 'push') {
    const { error } = entry;
    if (!error || madeByTest.test(error.message)) return undefined;
    if (explained && noRefusals.includes(explained.id)) return undefined;
    const isRefusal = explained !== undefined || error.code === 401 || error.code === 403 || error.code === 429;
    return isRefusal ? describe(`${entry.kind} of call #${entry.call}: ${error.message}`, explained) : undefined;
  }
  if (entry.kind === 'policy')
    return describe(`${entry.directive} does not allow ${brief(entry.blocked, 200)}.`, explained);
  if (entry.kind === 'sandbox') return describe(`The sandbox does not allow ${brief(entry.name, 80)}.`, explained);
  if (entry.kind === 'limit') return describe(`The limit ${entry.limit} was reached.`, explained);
  if (entry.kind === 'refusal' && entry.path !== undefined)
    return describe(`${entry.path}: ${entry.error.message}`, explained);
  return undefined;
}

function describe(plain: string, explained: Explanation | undefined): Refused {
  if (!explained) return { key: plain, lines: [plain] };
  const { id, subject, what, cure, example, where } = explained;
  const at = where ? ` (${where.file}:${where.line})` : '';
  return {
    key: `${id} ${subject ?? ''}`,
    lines: [`${cut(what)}${at}`, `  ${cut(cure)}`, ...(example ? [`  ${cut(example)}`] : [])],
  };
}

/** Writes each problem once, with its count. */
function shown(refused: readonly Refused[]): readonly string[] {
  const groups = [...Map.groupBy(refused, ({ key }) => key).values()];
  const items = groups.map((group) => {
    const [first, ...rest] = (group[0] as Refused).lines;
    return [`${first}${group.length > 1 ? ` (${group.length} times)` : ''}`, ...rest];
  });
  return listed(items);
}
