import { afterAll, afterEach } from 'vitest';
import { closeAfterTest, removeAfterFile } from './postgres.ts';

// A setup file, which runs for each test file: modules are loaded once in a worker, and hooks in
// them would count for its first file.
afterEach(closeAfterTest);
afterAll(removeAfterFile);
