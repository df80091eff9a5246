/**
 * Features of Chromium that start unneeded renderers: a spare one, and those of each window's
 * address bar. Starting renderers is most of a scenario's cost.
 */
export const idleRenderers = ['SpareRendererForSitePerProcess', 'WebUIOmniboxAimPopup', 'WebUIOmniboxPopup'];
