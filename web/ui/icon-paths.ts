/** The shop's own glyphs: 24 grid, stroke only. The markup inside `<svg>`, by name. */
export const iconPaths = {
  alert: '<path d="M12 3.5 22 20.5H2z"/><path d="M12 10v5M12 17v1.5"/>',
  'arrow-left': '<path d="M21 12H4M10.5 5.5 4 12l6.5 6.5"/>',
  'arrow-right': '<path d="M3 12h17M13.5 5.5 20 12l-6.5 6.5"/>',
  bays: '<path d="M4.5 20.5v-16M19.5 20.5v-16M2 20.5h5M17 20.5h5M4.5 12h15"/>',
  brake:
    '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="12" r="3"/><path d="M12 5.2v1.6M7.2 7.2l1.1 1.1M5.2 12h1.6M7.2 16.8l1.1-1.1M12 18.8v-1.6"/><path d="M15.5 3.7a9 9 0 0 1 0 16.6l-1.7-3.9a4.8 4.8 0 0 0 0-8.8z" fill="var(--tt-signal)" stroke="none"/><path d="M15.5 3.7a9 9 0 0 1 0 16.6l-1.7-3.9a4.8 4.8 0 0 0 0-8.8z"/>',
  calendar: '<path d="M3.5 5.5h17v15h-17zM3.5 10h17M8 3v4.5M16 3v4.5"/>',
  card: '<path d="M3 5.5h18v13H3zM3 9.5h18M6.5 15h4"/>',
  car: '<path d="M3 12.5 5.5 6h13l2.5 6.5V18H3z"/><path d="M3 12.5h18M6 18v2M18 18v2M6.5 15.2h2M15.5 15.2h2"/>',
  check: '<path d="m4 12.5 5.5 5.5L20 6.5"/>',
  'chevron-left': '<path d="m15 5-7 7 7 7"/>',
  'chevron-right': '<path d="m9 5 7 7-7 7"/>',
  clipboard: '<path d="M5 4.5h14v16H5zM9 3v3h6V3"/><path d="m8.5 13 2.5 2.5 4.5-5"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.5l3.5 2"/>',
  close: '<path d="m5 5 14 14M19 5 5 19"/>',
  external: '<path d="M10 5H4.5v14.5H19V14M14 4h6v6M20 4l-9.5 9.5"/>',
  eye: '<path d="M2.5 12C5 7.5 8.2 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5S5 16.5 2.5 12z"/><circle cx="12" cy="12" r="3"/>',
  flag: '<path d="M5 21V4h14l-3 4.5 3 4.5H5"/>',
  gear: '<path d="M12 2.8 20 7.4v9.2l-8 4.6-8-4.6V7.4z"/><circle cx="12" cy="12" r="3.6"/>',
  list: '<path d="M8.5 6H21M8.5 12H21M8.5 18H21M3 6h2.5M3 12h2.5M3 18h2.5"/>',
  lock: '<path d="M5 10.5h14v10H5zM8 10.5V8a4 4 0 0 1 8 0v2.5"/>',
  logout: '<path d="M14 4H4.5v16H14M10 12h11M16.5 7.5 21 12l-4.5 4.5"/>',
  mail: '<path d="M3 5.5h18v13H3z"/><path d="m3 6.5 9 6.5 9-6.5"/>',
  menu: '<path d="M3 7h18M3 12h18M3 17h12"/>',
  message: '<path d="M3.5 4.5h17v12H12l-5 4v-4H3.5z"/><path d="M8 9h8M8 12.5h5"/>',
  note: '<path d="M4.5 4h15v11l-5 5h-10zM14.5 20v-5h5"/>',
  oil: '<path d="M12 3c3.6 4.4 6 7.7 6 11a6 6 0 0 1-12 0c0-3.3 2.4-6.6 6-11z"/><path d="M12 17a3 3 0 0 0 3-3"/>',
  phone:
    '<path d="M5 3.5h4l1.6 4.7-2.3 1.6a12 12 0 0 0 5.9 5.9l1.6-2.3 4.7 1.6v4c0 .9-.6 1.5-1.5 1.5C10.8 20.5 3.5 13.2 3.5 5c0-.9.6-1.5 1.5-1.5z"/>',
  pin: '<path d="M12 21.5c4.5-5 7-8.5 7-11.5a7 7 0 0 0-14 0c0 3 2.5 6.5 7 11.5z"/><circle cx="12" cy="10" r="2.5"/>',
  plus: '<path d="M12 4v16M4 12h16"/>',
  receipt: '<path d="M5 3h14v18l-2.3-1.8L14.3 21 12 19.2 9.7 21l-2.4-1.8L5 21zM8.5 8h7M8.5 12h7"/>',
  refresh:
    '<path d="M20 5v5h-5M4 19v-5h5"/><path d="M19.5 10A8 8 0 0 0 5.5 7.5M4.5 14a8 8 0 0 0 14 2.5"/>',
  rules: '<path d="M4 6.5h9M17 6.5h3M4 12h3M11 12h9M4 17.5h9M17 17.5h3M15 4v5M9 9.5v5M15 15v5"/>',
  team: '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c.4-4 2.7-6 6.5-6s6.1 2 6.5 6M15 4.8a3.5 3.5 0 0 1 0 6.4M17 14.300c2.7.6 4.200 2.5 4.5 5.700"/>',
  trash: '<path d="M4 6.5h16M9 6V3.5h6V6M6 6.5 7 20.5h10l1-14M10 10.5v6M14 10.5v6"/>',
  tune: '<path d="M3.5 17.5a9.5 9.5 0 1 1 17 0"/><path d="m12 13.5 4-5.5"/><circle cx="12" cy="13.5" r="1.8"/><path d="M5.5 11.5l1.6.7M12 6v1.8M18.5 11.5l-1.6.7"/>',
  undo: '<path d="M8.5 4.5 4 9l4.5 4.5M4 9h10.5a5.5 5.5 0 0 1 0 11H9"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 20.5c.5-4.500 3.500-6.500 8-6.500s7.500 2 8 6.500"/>',
  wrench:
    '<path d="M20.2 6.6a5 5 0 0 1-6.5 6L7 19.3a2.1 2.1 0 0 1-3-3l6.7-6.7a5 5 0 0 1 6-6.5l-3 3 .7 2.8 2.8.7z"/>',
} as const

export type IconName = keyof typeof iconPaths

export const iconNames = Object.keys(iconPaths) as IconName[]
