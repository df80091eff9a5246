import { roles } from '../record/event-members.ts';
import { stays } from './positions.ts';
import type { TapeEntry } from './tape.ts';
import { writeCode } from './write-code.ts';

type Input = Extract<TapeEntry, { kind: 'input' }>;

const ariaRoles: ReadonlySet<string> = new Set(roles);
const keyForm = /^(?:(?:Control|Alt|Meta|Shift)\+)*(?:[A-Z]\w{1,20}|[!-~])$/;

/** Returns whether the next input continues this text, which that one then has, too. */
export function isTypedOn(input: Input, later: readonly TapeEntry[]): boolean {
  const next = later.find(({ kind, place }) => kind === 'input' && place === input.place);
  if (input.what !== 'fill' || next?.kind !== 'input' || next.what !== 'fill') return false;
  return next.role === input.role && next.index === input.index;
}

/** Writes the step of an input, or a `test.fixme` where the tape does not say enough. */
export function inputStep(
  input: Input,
  { variable, isRedacted }: { readonly variable: string; readonly isRedacted: boolean },
): string {
  const locator = locatorOf(input, isRedacted);
  const act = actOf(input, isRedacted);
  if (locator !== undefined && act !== undefined) return `await ${variable}.frame.${locator}.${act};`;
  return fixme(`A ${input.what} is missing here, on ${input.role ?? `<${input.element}> without a role`}.`);
}

function actOf({ what, key, text, option = 0 }: Input, isRedacted: boolean): string | undefined {
  if (what === 'click') return 'click()';
  if (what === 'fill') return text === undefined ? undefined : `fill(${writeCode(text)})`;
  if (what === 'select') return `selectOption({ index: ${option} })`;
  const isKnown =
    key !== undefined && keyForm.test(key) && (!isRedacted || stays(key, { source: 'line', name: 'key' }));
  return isKnown ? `press(${writeCode(key)})` : undefined;
}

/** Names on a redacted tape are stand-ins, so elements are counted there. */
function locatorOf({ what, element, role, label, index, twin }: Input, isRedacted: boolean): string | undefined {
  if (role === undefined || !ariaRoles.has(role))
    return what === 'press' && element === 'body' ? "locator('body')" : undefined;
  const isNamed = label !== undefined && !isRedacted;
  const nth = isNamed ? twin : index;
  if (!isNamed && nth === undefined) return undefined;
  const options = isNamed ? `, ${writeCode({ name: label, exact: true })}` : '';
  return `getByRole(${writeCode(role)}${options})${nth === undefined ? '' : `.nth(${nth})`}`;
}

/** Writes a mark for the author of a test, which ends it there. */
export function fixme(reason: string): string {
  return `test.fixme(true, ${writeCode(reason)});`;
}
