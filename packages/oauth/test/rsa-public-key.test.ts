import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { readRsaPublicKey } from '@gantry/oauth';
import { expect, test } from 'vitest';
import { privateKey, publicPem } from './rsa-keys.ts';

test('reads a key in either PEM form, and writes one', () => {
  const pkcs1 = createPublicKey(publicPem).export({ type: 'pkcs1', format: 'pem' }).toString();
  expect(pkcs1).toContain('BEGIN RSA PUBLIC KEY');
  expect(readRsaPublicKey(pkcs1).pem).toBe(publicPem);
  expect(readRsaPublicKey(publicPem).pem).toBe(publicPem);
  expect(readRsaPublicKey(publicPem).modulus).toHaveLength(256);
});

const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ type: 'spki', format: 'pem' });
const curve = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' });

test.each([
  ['nothing', '', 'no public key in PEM'],
  ['text', 'ssh-rsa AAAA', 'no public key in PEM'],
  ['a short key', short.toString(), '2048 to 4096 bits, and this one has 1024'],
  ['a key of another kind', curve.toString(), 'needs an RSA key'],
  ['a private key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'This is a private key'],
])('refuses %s with what would be right (contract §5)', (_, pem, message) => {
  expect(() => readRsaPublicKey(pem)).toThrow(message);
});

test('repeats nothing of a key that it refuses (security rule 8)', () => {
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  const secret = pem.split('\n')[1] as string;
  try {
    readRsaPublicKey(pem);
  } catch (error) {
    expect(JSON.stringify([String(error), (error as Error).cause])).not.toContain(secret);
  }
  expect.assertions(1);
});
