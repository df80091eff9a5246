import { roles } from '../record/event-members.ts';
import { writeCode } from './write-code.ts';

/** One step of a locator: `getByRole('button', { name: 'Post' })`. */
export interface LocatorStep {
  readonly method: string;
  readonly role?: string;
  /** Argument of other methods than `getByRole`. */
  readonly text?: string;
  /** Name of a role, or `hasText` of a filter. */
  readonly label?: string;
  readonly isExact?: boolean;
  readonly index?: number;
}

/** The expectation that failed a test: Playwright's matcher on a locator. */
export interface Expectation {
  readonly matcher: string;
  readonly isNot?: boolean;
  /** The app's document, or the container around it. */
  readonly inside: 'frame' | 'element';
  readonly steps: readonly LocatorStep[];
  readonly text?: string;
  readonly count?: number;
}

const states = split('toBeVisible toBeHidden toBeEnabled toBeDisabled toBeChecked toBeEmpty toBeFocused toBeEditable');
const withText = split(
  'toHaveText toContainText toHaveValue toHaveAccessibleName toHaveAccessibleDescription toHaveId',
);
const byText = split('locator getByText getByLabel getByPlaceholder getByAltText getByTitle getByTestId');
const ariaRoles: ReadonlySet<string> = new Set(roles);

const step =
  /(\w+)\((?:'((?:[^'\\]|\\.)*)'|(\d+))?(?:(?:, )?\{ (?:(?:name|hasText): '((?:[^'\\]|\\.)*)')?(?:, )?(exact: true)? ?\})?\)(?:\.|$)/y;

/**
 * Reads the expectation out of the message of Playwright's error.
 *
 * @returns `undefined` for a message of another form, or a locator with a pattern.
 */
export function readExpectation(message: string): Expectation | undefined {
  const [, not, matcher = ''] = /expect\(locator\)\.(not\.)?(\w+)\(/.exec(message) ?? [];
  const [, locator = ''] = /^Locator: (.+)$/m.exec(message) ?? [];
  const [, expected = ''] = /^Expected[^:\n]*: (.+)$/m.exec(message) ?? [];
  const inFrame = locator.trim().split('.contentFrame().');
  const inside = inFrame.length > 1 ? 'frame' : 'element';
  const steps = readSteps((inFrame.at(-1) ?? '').replace(/^locator\('#root > div > :first-child'\)(?:\.|$)/, ''));
  if (!steps || matcher === '') return undefined;
  const all: Expectation = { matcher, inside, steps, ...(not && { isNot: true }) };
  if (states.has(matcher)) return all;
  if (matcher === 'toHaveCount' && /^\d+$/.test(expected.trim())) return { ...all, count: Number(expected) };
  const text = withText.has(matcher) ? parsed(expected.replace(/^not /, '')) : undefined;
  return typeof text === 'string' ? { ...all, text } : undefined;
}

function readSteps(locator: string): readonly LocatorStep[] | undefined {
  const steps: LocatorStep[] = [];
  step.lastIndex = 0;
  let end = 0;
  while (end < locator.length) {
    const [, method = '', argument, index, label, exact] = step.exec(locator) ?? [];
    const value = argument?.replace(/\\(.)/g, '$1');
    if (method === '') return undefined;
    end = step.lastIndex;
    steps.push({
      method,
      ...(value !== undefined && (method === 'getByRole' ? { role: value } : { text: value })),
      ...(label !== undefined && { label: label.replace(/\\(.)/g, '$1') }),
      ...(exact && { isExact: true }),
      ...(index !== undefined && { index: Number(index) }),
    });
  }
  return steps.every((one) => writeStep(one) !== undefined) ? steps : undefined;
}

/**
 * Writes an expectation as a statement. Only methods and matchers of Playwright that this module
 * knows become code; the rest is literals. @returns `undefined` for one that names others.
 */
export function writeExpectation(expectation: Expectation, variable: string): string | undefined {
  const { matcher, isNot, inside, steps, text, count } = expectation;
  const argument = text ?? count;
  const isKnown =
    states.has(matcher) || ((withText.has(matcher) || matcher === 'toHaveCount') && argument !== undefined);
  const written = steps.map(writeStep);
  if (!isKnown || !['frame', 'element'].includes(inside) || written.includes(undefined)) return undefined;
  const locator = [variable, inside, ...written].join('.');
  const value = states.has(matcher) ? '' : writeCode(argument);
  return `await expect(${locator})${isNot ? '.not' : ''}.${matcher}(${value});`;
}

/** Returns whether an expectation has texts, which are stand-ins on a redacted tape. */
export function hasTexts({ steps, text }: Expectation): boolean {
  return text !== undefined || steps.some((one) => one.text !== undefined || one.label !== undefined);
}

function writeStep({ method, role, text, label, isExact, index }: LocatorStep): string | undefined {
  const options = (name: string): string => {
    const written = writeCode({ [name]: label, exact: isExact });
    return written === '{}' ? '' : `, ${written}`;
  };
  if (method === 'first' || method === 'last') return `${method}()`;
  if (method === 'nth') return index === undefined ? undefined : `nth(${index})`;
  if (method === 'filter') return label === undefined ? undefined : `filter(${writeCode({ hasText: label })})`;
  if (method === 'getByRole')
    return ariaRoles.has(role ?? '') ? `getByRole(${writeCode(role)}${options('name')})` : undefined;
  return byText.has(method) && text !== undefined ? `${method}(${writeCode(text)}${options('hasText')})` : undefined;
}

function split(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
