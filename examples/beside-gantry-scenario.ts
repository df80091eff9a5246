import { type APIRequestContext, expect, test } from '@playwright/test';
import { gantryCheck } from './beside-gantry.ts';
import { password, type RunningExample, type Start } from './example.ts';
import { describeExample, optionsOf } from './scenario.ts';

/** Describes a site in another language behind its reverse proxy: what every example does, and what the proxy must pass. */
export function describeBesideGantry({ name, start }: { readonly name: string; readonly start: Start }): void {
  let site: RunningExample;
  describeExample({
    name,
    async start(options) {
      site = await start(options);
      return site;
    },
  });

  async function signedIn(request: APIRequestContext, member: string): Promise<void> {
    const form = { name: member, password, return: '/' };
    const answer = await request.post(`${site.url}/sign-in`, { form, headers: { origin: site.url }, maxRedirects: 0 });
    expect(answer.status()).toBe(303);
  }

  test('gantry check finds nothing to mend behind the configuration of the guide', async ({ context }) => {
    await signedIn(context.request, 'ada');
    const viewer = (await context.cookies()).find(({ name: cookie }) => cookie === 'gantry_viewer');
    const cookie = `gantry_viewer=${viewer?.value}`;
    expect(await gantryCheck(optionsOf(name), { url: site.url, cookie })).not.toContain('Not tried');
  });
}
