import type { TapSettings } from '@gantry/testing/tap-protocol';
import { startTap } from './start-tap.ts';

// Written before this script, in the same function: the page does not see it.
declare const gantryTapSettings: TapSettings;

startTap(window, gantryTapSettings);
