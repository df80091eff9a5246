import { expect, test } from 'vitest';
import { appHeaders } from '../../src/apps/document-headers.ts';

const site = 'https://site.example';

function policyOf(headers: Record<string, string>): Record<string, string> {
  const directives = (headers['Content-Security-Policy'] ?? '')
    .split('; ')
    .map((directive) => directive.split(/ (.*)/));
  return Object.fromEntries(directives.map(([name, value]) => [name, value]));
}

test("a document on the site's own host may load from there and nowhere else (security rule 5)", () => {
  const headers = appHeaders({
    documentOrigin: site,
    siteOrigin: site,
    mediaOrigins: [],
    hosts: [],
    storage: false,
    ownHost: false,
  });
  expect(policyOf(headers)).toEqual({
    sandbox: 'allow-scripts allow-forms',
    'default-src': "'none'",
    'script-src': "'unsafe-inline' https://site.example",
    'style-src': "'unsafe-inline' https://site.example",
    'img-src': 'data: blob: https://site.example',
    'font-src': 'https://site.example',
    'media-src': 'https://site.example',
    'connect-src': "'none'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'object-src': "'none'",
    'frame-src': "'none'",
    'worker-src': "'none'",
    'frame-ancestors': 'https://site.example',
  });
  expect(headers['Connection-Allowlist']).toBe('(response-origin)');
  expect(headers).not.toHaveProperty('Origin-Agent-Cluster');
});

test('a document on a host of its own may also load from the site and the hosts that its manifest declares', () => {
  const headers = appHeaders({
    documentOrigin: 'https://abc.apps.example',
    siteOrigin: site,
    mediaOrigins: [],
    hosts: ['https://images.example'],
    storage: false,
    ownHost: true,
  });
  const policy = policyOf(headers);
  expect(policy['img-src']).toBe('data: blob: https://abc.apps.example https://site.example https://images.example');
  expect(policy['connect-src']).toBe("'none'");
  expect(headers['Connection-Allowlist']).toBe('(response-origin "https://site.example" "https://images.example")');
  expect(headers['Origin-Agent-Cluster']).toBe('?1');
});

test('a host that could end a directive never reaches a header, even out of the database (security rule 5)', () => {
  const hostile = ['https://a.example; script-src *', 'https://b.example" "https://c.example', "'self'", '*'];
  const headers = appHeaders({
    documentOrigin: site,
    siteOrigin: site,
    mediaOrigins: [],
    hosts: hostile,
    storage: false,
    ownHost: false,
  });
  expect(headers).toEqual(
    appHeaders({ documentOrigin: site, siteOrigin: site, mediaOrigins: [], hosts: [], storage: false, ownHost: false }),
  );
});

test('everything that reaches a device or a person is switched off, and the rest says nothing about the page', () => {
  const headers = appHeaders({
    documentOrigin: site,
    siteOrigin: site,
    mediaOrigins: [],
    hosts: [],
    storage: false,
    ownHost: false,
  });
  expect(headers['Permissions-Policy']).toMatch(/^([a-z-]+=\(\), ){40,}[a-z-]+=\(\)$/);
  expect(headers['Permissions-Policy']).toContain('camera=(), ');
  expect(headers).toMatchObject({
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  expect(Object.keys(headers).join()).not.toMatch(/credentials|cookie/i);
});
