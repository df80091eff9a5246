import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenApiDocument } from '../../../service/src/openapi/document.ts';
import { brokenRules, openApiRules } from '../../../service/test/openapi/openapi-rules.ts';
import { type Client, type DeliverySite, databases, listed, openDeliverySite, quiz, siteUrl } from './delivery-site.ts';

let site: DeliverySite;
let document: OpenApiDocument;
beforeAll(async () => {
  site = await openDeliverySite(databases[0]);
  document = (await (await site.fetch('/gantry/registry/openapi.json')).json()) as OpenApiDocument;
});
afterAll(() => site.close());

/** Returns the faults of an answer by the schema that the document names for it. */
function faults(operationId: string, status: number, json: unknown): unknown {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allErrors: true,
    formats: { 'date-time': true, binary: true },
  });
  const text = JSON.stringify({ $id: 'openapi', $defs: document.components.schemas });
  ajv.addSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')));
  const operations = Object.values(document.paths).flatMap(({ servers: _, ...verbs }) => Object.values(verbs));
  const operation = operations.find((one) => one.operationId === operationId);
  const given = operation?.responses[status] ?? document.components.responses.Failure;
  const schema = given && 'content' in given ? given.content?.['application/json']?.schema : undefined;
  if (schema === undefined) return json;
  const validate = ajv.compile(
    JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'openapi#/$defs/')),
  );
  return validate(json) ? [] : validate.errors;
}

test('the registry’s OpenAPI document is one, and anyone may read it (OpenAPI 3.1.1)', async () => {
  expect(new Ajv2020({ strict: false }).validate(openApiRules, document)).toBe(true);
  expect(brokenRules(document)).toEqual([]);
  expect(document.servers).toEqual([{ url: `${siteUrl}/gantry/registry` }]);
  expect((await site.fetch('/gantry/registry/openapi.json', { method: 'POST', body: '' })).status).toBe(405);
});

test('it names every route that is served, and no other', () => {
  const named = Object.entries(document.paths).flatMap(([path, { servers: _, ...verbs }]) =>
    Object.keys(verbs).map((verb) => `${verb.toUpperCase()} /gantry/registry${path}`),
  );
  const served = site.gantry.routes.filter((route) => / \/gantry\/registry\/(?!openapi)/.test(route));
  expect(named.sort()).toEqual(served.toSorted());
  expect(named.length).toBeGreaterThan(12);
});

test('answers are those that it describes', async () => {
  const [owner, author] = [await site.client('live'), await site.client('approval')];
  const { files } = listed(quiz()).list;
  const asked: [string, ReturnType<Client['ask']>][] = [
    ['readKey', owner.ask('GET', '/key')],
    ['readApp', owner.ask('GET', '/apps/quiz')],
    ['findMissing', owner.ask('POST', '/apps/quiz/missing', { files })],
    ['commit', owner.push('quiz', quiz({ uses: ['people.get'], hosts: ['https://a.example'] }))],
  ];
  const seen: [string, number, unknown][] = [];
  for (const [operation, reply] of asked)
    seen.push([operation, (await reply).status, faults(operation, (await reply).status, (await reply).json)]);
  site.clock.nowMs += 1_000;
  const statement = { check: { errors: 0, warnings: 1, findings: ['x'] }, tests: { passed: 1, failed: 0 }, note: 'y' };
  const { version } = (await author.push('quiz', quiz({ version: '2.0.0' }), { statement })).json;
  const path = `/apps/quiz/versions/${version}`;
  const more: [string, () => ReturnType<Client['ask']>][] = [
    ['readVersion', () => owner.ask('GET', path)],
    ['approve', () => owner.ask('POST', `${path}/approve`, {})],
    ['preview', () => owner.ask('POST', `${path}/preview`, { members: ['1'] })],
    ['rollBack', () => owner.ask('POST', '/apps/quiz/rollback', {})],
    ['pause', () => owner.ask('POST', '/apps/quiz/pause', {})],
    ['resume', () => owner.ask('POST', '/apps/quiz/resume', {})],
    ['readHistory', () => owner.ask('GET', '/apps/quiz/history')],
    ['readApp', () => owner.ask('GET', '/apps/quiz')],
  ];
  for (const [operation, ask] of more) {
    const { status, json } = await ask();
    seen.push([operation, status, faults(operation, status, json)]);
  }
  expect(seen).toEqual(seen.map(([operation]) => [operation, 200, []]));
  const refused = await author.ask('POST', '/apps/quiz/pause', {});
  expect(faults('pause', refused.status, refused.json)).toEqual([]);
  expect(faults('readKey', 200, { id: 1 })).not.toEqual([]); // control
});
