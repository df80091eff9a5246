import { createKitPage } from './kit-page.ts';

// The page in which a test mounts gadgets: one at a time. Tests drive `window.gantryKit`.
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root.');
Object.assign(window, { gantryKit: createKitPage(root) });
