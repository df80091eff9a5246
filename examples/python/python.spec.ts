import { describeBesideGantry } from '../beside-gantry-scenario.ts';
import { site, start } from './start.ts';

describeBesideGantry({ ...site, name: 'python', start });
