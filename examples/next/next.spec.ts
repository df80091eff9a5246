import { describeExample } from '../scenario.ts';
import { start } from './start.ts';

describeExample({ name: 'next', start });
