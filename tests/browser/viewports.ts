/** The two sizes of the mock-ups, in CSS pixels: what every page is drawn for and looked at in. */
export const desktopSize = { width: 1280, height: 900 }
export const phoneSize = { width: 390, height: 844 }
