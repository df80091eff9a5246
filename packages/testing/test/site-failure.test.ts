import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRecord } from '@gantry/lab';
import type { Page, TestInfo } from '@playwright/test';
import { expect, test } from 'vitest';
import { folderForTest } from '../../wire/test/temporary-folder.ts';
import { attachFailure, type EndedGadget } from '../src/failure/attach-failure.ts';
import { callsOf, logsOf, refusalsOf } from '../src/record-view.ts';

/**
 * Leaves what a failed test leaves of a gadget whose page is gone, and returns its attachments by
 * name.
 */
async function failureOn(host: EndedGadget['host']): Promise<ReadonlyMap<string, string>> {
  const folder = folderForTest();
  const record = createRecord();
  const at = { lab: 'site', app: 'notes', place: 'member-4711/notes#1' };
  record.add({ ...at, kind: 'call', call: 1, operation: 'people.get', params: { userId: 'member-4711' } });
  record.add({ ...at, kind: 'reply', call: 1, ok: { displayName: 'Wilhelmina Quux' }, tookMs: 3, size: 9 });
  record.add({ ...at, kind: 'sandbox', name: 'alert' });
  record.add({ ...at, kind: 'console', level: 'warn', text: 'low tide' });
  const { entries } = record;
  const page: Partial<Page> = { isClosed: () => true };
  const ended: EndedGadget = {
    host,
    gadget: {
      ...{ app: 'notes', page: page as Page, element: undefined as never, record: entries },
      ...{ calls: callsOf(entries), refusals: refusalsOf(entries), logs: logsOf(entries) },
    },
    mounted: { scenario: {} },
    recorded: async () => {},
  };
  const left = new Map<string, string>();
  const error = { message: 'Expected: "Wilhelmina Quux"', errorContext: undefined as string | undefined };
  const testInfo = {
    ...{
      status: 'failed',
      expectedStatus: 'passed',
      titlePath: ['a.spec.ts', 'shows a note'],
      file: '/tests/a.spec.ts',
    },
    ...{ config: { rootDir: '/tests' }, error, errors: [error], attachments: [] as TestInfo['attachments'] },
    outputPath: (name: string) => join(folder, name),
    attach: async (name: string, { body }: { readonly body?: string }) => void left.set(name, String(body)),
  };
  await attachFailure(ended, '', testInfo as Partial<TestInfo> as TestInfo);
  for (const { name, path } of testInfo.attachments) left.set(name, await readFile(path ?? '', 'utf8'));
  left.set('context', error.errorContext ?? '');
  return left;
}

test('a failure on a running site leaves tape, calls, refusals and console, and names no member (security rule 30)', async () => {
  const left = await failureOn('site');
  expect([...left.keys()].toSorted()).toEqual(
    ['context', 'failure.tape', 'gadget calls', 'gadget console', 'gadget refusals', 'gadget tape'].toSorted(),
  );
  expect([...left.values()].join('\n')).not.toMatch(/Wilhelmina|4711/);
  expect(left.get('gadget calls')).toMatch(/^1\. people\.get \{"userId":"\w+-\d+"\} → \{"displayName":"\w+ \w+"\}/);
  expect(left.get('gadget console')).toBe('warn: low tide\n');
  const [head] = (left.get('failure.tape') ?? '').split('\n', 1);
  expect(JSON.parse(head ?? '')).toMatchObject({ host: 'site', isRedacted: true, test: { title: 'aaaaa a aaaa' } });
  expect(left.get('context')).toMatch(/npx @gantry\/cli open \S*failure\.tape/);
});

test('a failure on a lab’s site shows its invented members beside the tape (the control)', async () => {
  const left = await failureOn('lab');
  expect(left.get('failure.tape')).not.toContain('Wilhelmina');
  for (const name of ['gadget calls', 'context']) expect(left.get(name)).toContain('Wilhelmina Quux');
});
