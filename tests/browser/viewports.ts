/** The two window sizes of the mock-ups, in CSS pixels. Every page is designed and tested in both. */
export const desktopSize = { width: 1280, height: 900 }
export const phoneSize = { width: 390, height: 844 }
