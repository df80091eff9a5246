export default {
  globs: ['src/gantry-gadget.ts'],
  packagejson: false, // it says so already
};
