// One state of a gadget on a page, as data: the dev host has it in its address, stories name it, tests mount it.

/** State of member, page, network and site while a gadget is looked at. Members that are absent are as on a usual site. */
export interface Scenario {
  /** Name of a world that comes with Gantry, or the path of a world file. Default: `pleasant`. */
  readonly world?: string;
  /** Member who looks: an id of the world, or `nobody`: not signed in. Default: the world's first persona. */
  readonly persona?: string;
  /** Member whose page it is. Default: the persona. */
  readonly owner?: string;
  readonly view?: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Width of the gadget's place in CSS pixels, 120 to 2560. Default: as wide as the page allows. */
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
  readonly contrast?: 'normal' | 'more';
  readonly motion?: 'full' | 'reduce';
  readonly direction?: 'ltr' | 'rtl';
  /** BCP 47 tag. */
  readonly locale?: string;
  /** IANA name. */
  readonly timeZone?: string;
  /** `slow`: each call takes two seconds longer. `fail-once`: the first call of each operation fails with 503. */
  readonly network?: 'fast' | 'slow' | 'offline' | 'fail-once';
  /** Seconds by which the clock of site, page and frame is ahead. */
  readonly clock?: number;
  /** `all`: the member allowed everything the app declares. `none`: the member was not asked yet. `without:NAME`: one was taken back. */
  readonly permissions?: 'all' | 'none' | `without:${string}`;
  /** Version of the API that the site speaks. */
  readonly api?: '1.2' | '0.9.3';
  /** The site has albums. */
  readonly albums?: boolean;
  /** Seconds between two posts of a member through an app. */
  readonly interval?: number;
}

export type ScenarioName = keyof Scenario;

/** A query parameter that is no value of a scenario. */
export interface ScenarioProblem {
  /** Name of the parameter. */
  readonly name: string;
  /** As it stands in the query. */
  readonly value: string;
  /** One sentence with the values that are allowed. */
  readonly message: string;
}

/** Values that mean the same as a parameter that is absent. Others have no fixed default: they follow browser or world. */
export const scenarioDefaults = {
  ...{ world: 'pleasant', view: 'home', network: 'fast', clock: 0 },
  ...{ permissions: 'all', api: '1.2', albums: true },
} as const satisfies Scenario;

type Plain = Omit<Required<Scenario>, 'params'>;
interface Rule<Value> {
  /** Completes "NAME must be …". */
  readonly mustBe: string;
  /** @returns undefined for text that is no such value. */
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
  locale: { mustBe: 'a language tag such as "de" or "pt-BR"', read: localeOf },
  timeZone: { mustBe: 'a time zone such as "Europe/Berlin"', read: timeZoneOf },
  network: oneOf('fast', 'slow', 'offline', 'fail-once'),
  clock: whole(0, 315_360_000, 'seconds (ten years)'),
  permissions: shaped<Plain['permissions']>(
    '"all", "none" or "without:NAME"',
    /^(?:all|none|without:[\w.:@-]{1,100})$/,
  ),
  api: oneOf('1.2', '0.9.3'),
  albums: {
    mustBe: '"true" or "false"',
    read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  },
  interval: whole(0, 86_400, 'seconds'),
};

const paramPrefix = 'params.';
const maxParams = 20;
const maxParamLength = 2_000;
const paramName = /^[\w.-]{1,64}$/;

/** Names of parameters that may differ, in the order in which people think of them. `params` stands as `params.NAME`. */
export const scenarioNames: readonly (keyof Plain)[] = [
  ...(['world', 'persona', 'owner', 'view', 'width', 'theme', 'contrast', 'motion', 'direction', 'locale'] as const),
  ...(['timeZone', 'network', 'clock', 'permissions', 'api', 'albums', 'interval'] as const),
];

/**
 * Reads a scenario out of a query. Parameters of other names are left alone; one that holds no allowed value has its
 * default, and a problem says so.
 *
 * @example
 * readScenario('?theme=dark&width=wide');
 * // { scenario: { theme: 'dark' }, problems: [{ name: 'width', value: 'wide', message: 'width must be a whole number …' }] }
 */
export function readScenario(search: string | URLSearchParams): {
  readonly scenario: Scenario;
  readonly problems: readonly ScenarioProblem[];
} {
  const query = new URLSearchParams(search);
  const found: [name: string, value: unknown][] = [];
  const problems: ScenarioProblem[] = [];
  for (const name of scenarioNames) {
    const [text, ...more] = query.getAll(name);
    if (text === undefined) continue;
    const value = rules[name].read(text);
    if (value === undefined) {
      problems.push({ name, value: text, message: `${name} must be ${rules[name].mustBe}.` });
    } else if (value !== defaultOf(name)) {
      found.push([name, value]);
    }
    if (more.length > 0) {
      problems.push({ name, value: more.join(', '), message: `${name} must be given once. The first one counts.` });
    }
  }
  const params = readParams(query, problems);
  if (params.length > 0) found.push(['params', Object.fromEntries(params)]);
  return { scenario: Object.fromEntries(found) as Scenario, problems };
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

/** The value that an absent parameter stands for, where it is always the same. */
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

function localeOf(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

function timeZoneOf(text: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return text;
  } catch {
    return undefined;
  }
}

export type { Story, StoryProps } from './story.ts';
