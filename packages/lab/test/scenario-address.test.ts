import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scenario } from '../src/scenario/scenario.ts';
import {
  readScenario,
  scenarioDefaults,
  scenarioNames,
  scenarioProblem,
  writeScenario,
} from '../src/scenario/scenario-query.ts';

const id = fc.stringMatching(/^[\w.:-]{1,64}$/);
const text = fc.string({ unit: 'binary', maxLength: 60 }).filter((value) => value.isWellFormed());
const scenarios: fc.Arbitrary<Scenario> = fc.record(
  {
    world: fc.constantFrom('friendly', 'hostile', './worlds/my world & more.json', '%2525'),
    persona: fc.oneof(id, fc.constant('nobody')),
    owner: id,
    view: fc.constantFrom('home', 'canvas', 'canvas.map'),
    params: fc.dictionary(fc.stringMatching(/^[\w.-]{1,64}$/), text, {
      minKeys: 1,
      maxKeys: 20,
      noNullPrototype: true,
    }),
    width: fc.integer({ min: 120, max: 2560 }),
    theme: fc.constantFrom('light', 'dark'),
    contrast: fc.constantFrom('normal', 'more'),
    motion: fc.constantFrom('full', 'reduce'),
    direction: fc.constantFrom('ltr', 'rtl'),
    locale: fc.constantFrom('en', 'de', 'pt-BR', 'zh-Hans-CN', 'ar'),
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
    network: fc.constantFrom('fast', 'slow', 'offline', 'fail-once'),
    clock: fc.nat({ max: 1_000_000 }),
    permissions: fc.constantFrom('all', 'none', 'without:activities.post'),
    api: fc.constantFrom('1.2', '0.9.3'),
    albums: fc.boolean(),
    interval: fc.integer({ min: 0, max: 86_400 }),
  },
  { requiredKeys: [] },
);

function withoutDefaults(scenario: Scenario): Scenario {
  const defaults = new Map<string, unknown>(Object.entries(scenarioDefaults));
  return Object.fromEntries(Object.entries(scenario).filter(([name, value]) => defaults.get(name) !== value));
}

test('a scenario comes back out of its query as it went in, without its defaults (address is state)', () => {
  fc.assert(
    fc.property(scenarios, (scenario) => {
      expect(readScenario(`?${writeScenario(scenario)}`)).toEqual({
        scenario: withoutDefaults(scenario),
        problems: [],
      });
    }),
  );
});

test('any query is read without a throw, and what it names wrongly has a problem and its default', () => {
  const queries = fc.array(fc.tuple(fc.constantFrom(...scenarioNames, 'params.a', 'other'), text), { maxLength: 8 });
  fc.assert(
    fc.property(queries, (pairs) => {
      const { scenario, problems } = readScenario(new URLSearchParams(pairs));
      expect(readScenario(writeScenario(scenario)).scenario).toEqual(scenario);
      for (const { name } of problems) expect(pairs.map(([key]) => key)).toContain(name);
    }),
  );
});

test.each([
  ['width=wide', 'width must be a whole number from 120 to 2560 pixels.'],
  ['width=119', 'width must be a whole number from 120 to 2560 pixels.'],
  ['theme=Dark', 'theme must be "light" or "dark".'],
  ['locale=e', 'locale must be a language tag such as "de" or "pt-BR".'],
  ['timeZone=Berlin', 'timeZone must be a time zone such as "Europe/Berlin".'],
  ['clock=-30', 'clock must be a whole number from 0 to 315360000 seconds (ten years).'],
  ['albums=yes', 'albums must be "true" or "false".'],
  ['albums=constructor', 'albums must be "true" or "false".'],
  ['permissions=some', 'permissions must be "all", "none" or "without:NAME".'],
  ['persona=%3Cimg%3E', 'persona must be the id of a member, or "nobody".'],
])('%s is a problem, and the rest of the query counts', (query, message) => {
  const { scenario, problems } = readScenario(`${query}&network=slow&app=friends`);
  expect(scenario).toEqual({ network: 'slow' });
  expect(problems.map((problem) => problem.message)).toEqual([message]);
});

test('a parameter that stands twice counts once, and says so', () => {
  const { scenario, problems } = readScenario('theme=dark&theme=light');
  expect(scenario).toEqual({ theme: 'dark' });
  expect(problems).toEqual([
    { name: 'theme', value: 'light', message: 'theme must be given once. The first one counts.' },
  ]);
});

test('names of params are bounded, and one that every object has is a name like others', () => {
  const { scenario, problems } = readScenario('params.__proto__=1&params.constructor=2&params.a%20b=3');
  expect(Object.entries(scenario.params ?? {})).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
  expect(problems.map(({ name }) => name)).toEqual(['params.a b']);
});

test('a scenario that no page could show is named, with the word that was meant', () => {
  fc.assert(fc.property(scenarios, (scenario) => scenarioProblem(scenario) === undefined));
  const problems = [
    { theme: 'grey' },
    { width: '320px' },
    { width: '320' },
    { albums: 'true' },
    { widht: 320 },
    { x: 1 },
  ];
  expect(problems.map(scenarioProblem)).toEqual([
    'theme must be "light" or "dark".',
    'width must be a whole number from 120 to 2560 pixels.',
    'width must be a whole number from 120 to 2560 pixels.',
    'albums must be "true" or "false".',
    'There is no widht. Did you mean width?',
    'There is no x.',
  ]);
});
