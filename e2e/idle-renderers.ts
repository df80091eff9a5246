/**
 * Features of Chromium that start renderers which nobody looks at: one in reserve, and those that draw what drops down from the
 * address bar of each window. Starting renderers is most of what a scenario costs.
 */
export const idleRenderers = ['SpareRendererForSitePerProcess', 'WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];
