import { fileURLToPath } from 'node:url';

/** Returns the built scripts that apps and pages load, from the packages that contain them. */
export function scriptFiles(): { readonly osapi: string; readonly container: string } {
  return { osapi: fileOf('@gantry/osapi/osapi.js'), container: fileOf('@gantry/container/container.js') };
}

function fileOf(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}
