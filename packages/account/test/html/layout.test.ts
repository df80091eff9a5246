import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { expect, test } from 'vitest';
import { type Page, page as render } from '../../src/html/layout.ts';
import { createTexts } from '../../src/messages/texts.ts';

const content = html`<h1>Hello</h1>`;
const page = (spec: Omit<Page, 'texts'>) => render({ ...spec, texts: createTexts('en') });

function policyOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return (headers['content-security-policy'] ?? '').split('; ');
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function between(text: unknown, start: string, end: string): string {
  const from = String(text).indexOf(start) + start.length;
  return String(text).slice(from, String(text).indexOf(end, from));
}

test('a page is kept by no cache, framed by nobody and loads nothing (contract §3)', async () => {
  const { status, headers } = await page({ site: 'Quay', title: 'Hello', content });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(policyOf(headers)).toEqual([
    "default-src 'none'",
    expect.stringMatching(/^style-src 'sha256-[A-Za-z0-9+/]{43}='$/),
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]);
});

test('the hashes are those of what stands in the page', async () => {
  const script = 'document.title = "x";';
  const { headers, body } = await page({ site: 'Quay', title: 'Hello', content, script });
  expect(policyOf(headers)).toContain(`style-src ${sourceOf(between(body, '<style>', '</style>'))}`);
  expect(policyOf(headers)).toContain(`script-src ${sourceOf(between(body, '<script>', '</script>'))}`);
});

test('names are text, wherever they stand (security rule 7)', async () => {
  const evil = '<img src=x onerror=alert(1)>"\'&';
  const nav = [{ href: '/"><b>', label: evil }];
  const { body } = await page({
    site: evil,
    title: evil,
    content: html`<p title="${evil}">${evil}</p>`,
    viewer: { displayName: evil },
    nav,
  });
  expect(body).not.toContain('<img');
  expect(body).not.toContain('<b>');
  expect(body).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
});

test('a stored name turns and hides nothing around it (security rule 38)', async () => {
  const stored = 'Lee \u2069\u202egpj';
  const viewer = { displayName: stored };
  const { body } = await page({ site: 'קיי \u202e3', title: stored, content: html``, viewer });
  expect(between(body, '<title>', '</title>')).toBe('Lee gpj · \u2068קיי 3\u2069');
  expect(body).toContain('<bdi>Lee gpj</bdi>');
  expect(body).not.toMatch(/[\u202a-\u202e]/);
  expect(`${html`<bdi>${stored}</bdi>`}`).toMatch(/\u202e/); // the control: markup alone keeps it
  expect(createTexts('en').say('consent.deniedText', { app: 'קיי\u202e' })).toContain('\u2068קיי\u2069');
});
