import { closest } from '@gantry/wire/runtime';
import type { Scenario, ScenarioName } from './scenario.ts';

/** A query parameter without an allowed value. */
export interface ScenarioProblem {
  /** Name of the parameter. */
  readonly name: string;
  /** As it stands in the query. */
  readonly value: string;
  /** One sentence with the values that are allowed. */
  readonly message: string;
}

/** Values of absent parameters. Other parameters have no fixed default: browser or world decide. */
export const scenarioDefaults = {
  world: 'friendly',
  view: 'home',
  network: 'fast',
  clock: 0,
  permissions: 'all',
  api: '1.2',
  albums: true,
} as const satisfies Scenario;

type Plain = Omit<Required<Scenario>, 'params'>;
interface Rule<Value> {
  /** Completes "NAME must be …". */
  readonly mustBe: string;
  /** @returns `undefined` for an invalid value. */
  readonly read: (text: string) => Value | undefined;
}

const rules: { readonly [Name in keyof Plain]: Rule<Plain[Name]> } = {
  world: shaped<string>('the name of a world or the path of a file', /^[^\p{C}]{1,500}$/u),
  persona: shaped<string>('the id of a member, or "nobody"', /^[\w.:-]{1,64}$/),
  owner: shaped<string>('the id of a member', /^[\w.:-]{1,64}$/),
  view: shaped<string>('the name of a view', /^[\w.-]{1,64}$/),
  width: whole(120, 2560, 'pixels'),
  theme: oneOf('light', 'dark'),
  contrast: oneOf('normal', 'more'),
  motion: oneOf('full', 'reduce'),
  direction: oneOf('ltr', 'rtl'),
  locale: {
    mustBe: 'a language tag such as "de" or "pt-BR"',
    read: (text) => unlessThrown(() => Intl.getCanonicalLocales(text)[0]),
  },
  timeZone: { mustBe: 'a time zone such as "Europe/Berlin"', read: timeZoneOf },
  network: oneOf('fast', 'slow', 'offline', 'fail-once'),
  clock: whole(0, 315_360_000, 'seconds (ten years)'),
  permissions: shaped<Plain['permissions']>(
    '"all", "none" or "without:NAME"',
    /^(?:all|none|without:[\w.:@-]{1,100})$/,
  ),
  api: oneOf('1.2', '0.9.3'),
  albums: { mustBe: '"true" or "false"', read: (text) => [true, false].find((flag) => String(flag) === text) },
  interval: whole(0, 86_400, 'seconds'),
};

const paramPrefix = 'params.';
const maxParams = 20;
const maxParamLength = 2_000;
const paramName = /^[\w.-]{1,64}$/;

/** Names of parameters, most used first. `params` is written as `params.NAME`. */
export const scenarioNames = Object.keys(rules) as readonly (keyof Plain)[];

/** Reads a scenario out of a query. A value that is not allowed gives the default and a problem. */
export function readScenario(search: string | URLSearchParams): {
  readonly scenario: Scenario;
  readonly problems: readonly ScenarioProblem[];
} {
  const query = new URLSearchParams(search);
  const values: [name: string, value: unknown][] = [];
  const problems: ScenarioProblem[] = [];
  for (const name of scenarioNames) {
    const [text, ...more] = query.getAll(name);
    if (text === undefined) continue;
    const value = rules[name].read(text);
    if (value === undefined) {
      problems.push({ name, value: text, message: `${name} must be ${rules[name].mustBe}.` });
    } else if (value !== defaultOf(name)) {
      values.push([name, value]);
    }
    if (more.length > 0) {
      problems.push({ name, value: more.join(', '), message: `${name} must be given once. The first one counts.` });
    }
  }
  const params = readParams(query, problems);
  if (params.length > 0) values.push(['params', Object.fromEntries(params)]);
  return { scenario: Object.fromEntries(values) as Scenario, problems };
}

/** Returns a sentence about the first member of a scenario that has no such name or value. */
export function scenarioProblem(scenario: object): string | undefined {
  for (const [name, value] of Object.entries(scenario)) {
    if (value === undefined || name === 'params') continue;
    if (!Object.hasOwn(rules, name)) {
      const near = closest(name, [...scenarioNames, 'params']);
      return `There is no ${name}.${near ? ` Did you mean ${near}?` : ''}`;
    }
    const { read, mustBe } = rules[name as keyof Plain];
    const result = read(String(value));
    if (result === undefined || typeof result !== typeof value) return `${name} must be ${mustBe}.`;
  }
  return undefined;
}

/** Writes a scenario as a query without question mark. Defaults are left out. */
export function writeScenario(scenario: Scenario): string {
  const query = new URLSearchParams();
  for (const name of scenarioNames) {
    const value = scenario[name];
    if (value !== undefined && value !== defaultOf(name)) query.set(name, String(value));
  }
  for (const [name, value] of Object.entries(scenario.params ?? {})) query.set(paramPrefix + name, value);
  return query.toString();
}

/** Returns the value that an absent parameter stands for, if it is always the same. */
export function defaultOf(name: ScenarioName): unknown {
  return (scenarioDefaults as Scenario)[name];
}

function readParams(query: URLSearchParams, problems: ScenarioProblem[]): [name: string, value: string][] {
  const params: [string, string][] = [];
  const names = new Set([...query.keys()].filter((key) => key.startsWith(paramPrefix)));
  for (const key of names) {
    const name = key.slice(paramPrefix.length);
    const value = query.get(key) as string;
    if (!paramName.test(name) || value.length > maxParamLength || params.length === maxParams) {
      const message = `params.NAME must be at most ${maxParams} short names with at most ${maxParamLength} characters each.`;
      problems.push({ name: key, value, message });
    } else {
      params.push([name, value]);
    }
  }
  return params;
}

function oneOf<const Value extends string>(...values: readonly Value[]): Rule<Value> {
  return {
    mustBe: values.map((value) => `"${value}"`).join(' or '),
    read: (text) => values.find((value) => value === text),
  };
}

function shaped<Value extends string>(mustBe: string, shape: RegExp): Rule<Value> {
  return { mustBe, read: (text) => (shape.test(text) ? (text as Value) : undefined) };
}

function whole(least: number, most: number, unit: string): Rule<number> {
  return {
    mustBe: `a whole number from ${least} to ${most} ${unit}`,
    read: (text) =>
      /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
  };
}

/** Returns a time zone that this machine knows, else `undefined`. */
export function timeZoneOf(text: string): string | undefined {
  return unlessThrown(() => new Intl.DateTimeFormat('en', { timeZone: text }) && text);
}

function unlessThrown<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
