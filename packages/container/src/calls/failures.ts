import { failure } from '@gantry/bridge';

export const aborted = failure('ABORTED', 'The call was given up.');
export const appReplaced = failure('APP_REPLACED', 'Another app has this id now.');
export const outOfReach = failure('UNAVAILABLE', 'The site cannot be reached. The device may be offline.');
export const viewerChanged = failure('UNAUTHORIZED', 'Another member is signed in now.');
