export type { Clock } from './clock.ts';
export { closest } from './closest.ts';
export { createGate, type Gate } from './gate.ts';
export { isLocalHost } from './local-host.ts';
export { type Logger, silentLogger } from './logger.ts';
export { isTooFine, joinBytes, joinChunks, readBytes } from './read-bytes.ts';
export { seededNumbers } from './seeded-numbers.ts';
export { terminalText } from './terminal-text.ts';
export { createRateLimit, createTokenBucket, type Rate } from './token-bucket.ts';
