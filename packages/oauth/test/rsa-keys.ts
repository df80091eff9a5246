import { generateKeyPairSync } from 'node:crypto';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const privateKey = pair.privateKey;
export const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
