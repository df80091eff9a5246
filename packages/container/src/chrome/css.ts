/** Marks a style sheet for the build, which leaves its white space out. Nothing is escaped. */
export const css = String.raw;
