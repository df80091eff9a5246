import { describeBesideGantry } from '../beside-gantry-scenario.ts';
import { start } from './start.ts';

describeBesideGantry({ name: 'php', start });
