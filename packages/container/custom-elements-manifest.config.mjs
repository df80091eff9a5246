export default {
  globs: ['src/element/gantry-gadget.ts'],
  packagejson: false, // it says so already
};
