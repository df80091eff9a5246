import { afterEach, expect, test, vi } from 'vitest';
import { connect } from '../../bridge/test/page.ts';
import { processSdk } from '../src/process-sdk.ts';
import { createSdk, documentSdk, sdkKey } from '../src/sdk.ts';

const scope = globalThis as { [sdkKey]?: unknown };

afterEach(() => {
  delete scope[sdkKey];
});

function site(name: string) {
  return createSdk(connect({ answer: () => ({ ok: { id: name } }) }).connection);
}

test('members that a module keeps use the connection that is attached now (ADR 57)', async () => {
  const { osapi, attach } = processSdk();
  const { people } = osapi;
  const { getViewer } = people;
  for (const name of ['one', 'two']) {
    const detach = attach(site(name));
    expect(await getViewer()).toEqual({ id: name });
    expect(await people.getViewer()).toEqual({ id: name });
    detach();
  }
  await expect(getViewer()).rejects.toMatchObject({ code: 503 });
  expect(osapi.people.getViewer).toBe(getViewer);
});

test('the SDK of a process has the members of the attached one, and takes a spy (ADR 57)', async () => {
  const { osapi, gantry, attach } = processSdk();
  const sdk = site('one');
  attach(sdk);
  await osapi.ready;
  expect(Object.keys(osapi)).toEqual(Object.keys(sdk.osapi));
  expect('albums' in osapi).toBe('albums' in sdk.osapi);
  expect(gantry.context).toEqual(sdk.gantry.context);
  const spy = vi.spyOn(osapi.people, 'getViewer');
  void osapi.people.getViewer();
  expect(spy).toHaveBeenCalledOnce();
  spy.mockRestore();
  expect(await osapi.people.getViewer()).toEqual({ id: 'one' });
});

test('one connection at a time, and only where no document was first (ADR 57)', () => {
  const { attach } = processSdk();
  const detach = attach(site('one'));
  expect(() => attach(site('two'))).toThrow('A host is open already');
  detach();
  attach(site('three'));
  delete scope[sdkKey];
  documentSdk();
  expect(() => processSdk()).toThrow('setupFiles');
});
