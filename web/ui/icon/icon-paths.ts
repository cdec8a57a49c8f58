/** The icons of the public pages, on a grid of 24 px and with strokes only: the markup inside `<svg>`, by name. */
export const iconPaths = {
  alert: '<path d="M12 3.5 22 20.5H2z"/><path d="M12 10v5M12 17v1.5"/>',
  'arrow-left': '<path d="M21 12H4M10.5 5.5 4 12l6.5 6.5"/>',
  'arrow-right': '<path d="M3 12h17M13.5 5.5 20 12l-6.5 6.5"/>',
  brake:
    '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="3"/><path d="M12 5.2v1.6M7.2 7.2l1.1 1.1M5.2 12h1.6M7.2 16.8l1.1-1.1M12 18.8v-1.6"/><path d="M15.5 3.7a9 9 0 0 1 0 16.6l-1.7-3.9a4.8 4.8 0 0 0 0-8.8z" fill="var(--tt-signal)" stroke="none"/><path d="M15.5 3.7a9 9 0 0 1 0 16.6l-1.7-3.9a4.8 4.8 0 0 0 0-8.8z"/>',
  calendar: '<path d="M3.5 5.5h17v15h-17zM3.5 10h17M8 3v4.5M16 3v4.5"/>',
  card: '<path d="M3 5.5h18v13H3zM3 9.5h18M6.5 15h4"/>',
  check: '<path d="m4 12.5 5.5 5.5L20 6.5"/>',
  'chevron-left': '<path d="m15 5-7 7 7 7"/>',
  'chevron-right': '<path d="m9 5 7 7-7 7"/>',
  close: '<path d="m5 5 14 14M19 5 5 19"/>',
  lock: '<path d="M5 10.5h14v10H5zM8 10.5V8a4 4 0 0 1 8 0v2.5"/>',
  mail: '<path d="M3 5.5h18v13H3z"/><path d="m3 6.5 9 6.5 9-6.5"/>',
  menu: '<path d="M3 7h18M3 12h18M3 17h12"/>',
  message: '<path d="M3.5 4.5h17v12H12l-5 4v-4H3.5z"/><path d="M8 9h8M8 12.5h5"/>',
  oil: '<path d="M12 3c3.6 4.4 6 7.7 6 11a6 6 0 0 1-12 0c0-3.3 2.4-6.6 6-11z"/><path d="M12 17a3 3 0 0 0 3-3"/>',
  phone:
    '<path d="M5 3.5h4l1.6 4.7-2.3 1.6a12 12 0 0 0 5.9 5.9l1.6-2.3 4.7 1.6v4c0 .9-.6 1.5-1.5 1.5C10.8 20.5 3.5 13.2 3.5 5c0-.9.6-1.5 1.5-1.5z"/>',
  pin: '<path d="M12 21.5c4.5-5 7-8.5 7-11.5a7 7 0 0 0-14 0c0 3 2.5 6.5 7 11.5z"/><circle cx="12" cy="10" r="2.5"/>',
  refresh:
    '<path d="M20 5v5h-5M4 19v-5h5"/><path d="M19.5 10A8 8 0 0 0 5.5 7.5M4.5 14a8 8 0 0 0 14 2.5"/>',
  tune: '<path d="M3.5 17.5a9.5 9.5 0 1 1 17 0"/><path d="m12 13.5 4-5.5"/><circle cx="12" cy="13.5" r="1.8"/><path d="M5.5 11.5l1.6.7M12 6v1.8M18.5 11.5l-1.6.7"/>',
  wrench:
    '<path d="M20.2 6.6a5 5 0 0 1-6.5 6L7 19.3a2.1 2.1 0 0 1-3-3l6.7-6.7a5 5 0 0 1 6-6.5l-3 3 .7 2.8 2.8.7z"/>',
} as const
