/**
 * The icons that only the dashboard shows, on a grid of 24 px and with strokes only: the markup inside `<svg>`, by
 * name.
 */
export const dashboardIconPaths = {
  bays: '<path d="M4.5 20.5v-16M19.5 20.5v-16M2 20.5h5M17 20.5h5M4.5 12h15"/>',
  car: '<path d="M3 12.5 5.5 6h13l2.5 6.5V18H3z"/><path d="M3 12.5h18M6 18v2M18 18v2M6.5 15.2h2M15.5 15.2h2"/>',
  clipboard: '<path d="M5 4.5h14v16H5zM9 3v3h6V3"/><path d="m8.5 13 2.5 2.5 4.5-5"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5.5l3.5 2"/>',
  copy: '<path d="M8 8h12v12H8zM8 16H4V4h12v4"/>',
  database:
    '<ellipse cx="12" cy="5.5" rx="7.5" ry="3"/><path d="M4.5 5.5v13c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3v-13M4.5 12c0 1.7 3.4 3 7.5 3s7.5-1.3 7.5-3"/>',
  download: '<path d="M12 3.5v12M6.5 10.5 12 16l5.5-5.5M4 20.5h16"/>',
  down: '<path d="m5 9 7 7 7-7"/>',
  drawer: '<path d="M5.5 6h13L21 13v5H3v-5zM3 13h18M9.5 15.5h5"/>',
  external: '<path d="M10 5H4.5v14.5H19V14M14 4h6v6M20 4l-9.5 9.5"/>',
  eye: '<path d="M2.5 12C5 7.5 8.2 5.5 12 5.5s7 2 9.5 6.5c-2.5 4.5-5.7 6.5-9.5 6.5S5 16.5 2.5 12z"/><circle cx="12" cy="12" r="3"/>',
  flag: '<path d="M5 21V4h14l-3 4.5 3 4.5H5"/>',
  gear: '<path d="M12 2.8 20 7.4v9.2l-8 4.6-8-4.6V7.4z"/><circle cx="12" cy="12" r="3.6"/>',
  grip: '<path d="M9 5v2.5M9 11v2.5M9 17v2.5M15 5v2.5M15 11v2.5M15 17v2.5"/>',
  list: '<path d="M8.5 6H21M8.5 12H21M8.5 18H21M3 6h2.5M3 12h2.5M3 18h2.5"/>',
  logout: '<path d="M14 4H4.5v16H14M10 12h11M16.5 7.5 21 12l-4.5 4.5"/>',
  merge: '<path d="M5 3.5V8l7 6v7M19 3.5V8l-7 6"/>',
  more: '<path d="M12 5v2M12 11v2M12 17v2" stroke-width="2.500"/>',
  note: '<path d="M4.5 4h15v11l-5 5h-10zM14.5 20v-5h5"/>',
  pencil: '<path d="m4 20 1-4.5L16.5 4 20 7.5 8.5 19z"/>',
  plus: '<path d="M12 4v16M4 12h16"/>',
  print: '<path d="M7 8V3.5h10V8M7 17H3.5V8h17v9H17M7 14h10v6.5H7z"/>',
  qr: '<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5H14zM17.5 17.5H20V20h-2.5z"/>',
  receipt: '<path d="M5 3h14v18l-2.3-1.8L14.3 21 12 19.2 9.7 21l-2.4-1.8L5 21zM8.5 8h7M8.5 12h7"/>',
  rules: '<path d="M4 6.5h9M17 6.5h3M4 12h3M11 12h9M4 17.5h9M17 17.5h3M15 4v5M9 9.5v5M15 15v5"/>',
  search: '<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.2 15.2 6 6"/>',
  shield:
    '<path d="M12 3 19 6v6c0 4.5-3 7.6-7 9-4-1.4-7-4.5-7-9V6z"/><path d="m8.5 12 2.5 2.5 4.5-5"/>',
  swap: '<path d="M4 8h15M14.5 3.5 19 8l-4.5 4.5M20 16H5M9.5 11.5 5 16l4.5 4.5"/>',
  tag: '<path d="M3.5 12.5v-9h9l8 8-9 9z"/><circle cx="8" cy="8" r="1.3"/>',
  team: '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20c.4-4 2.7-6 6.5-6s6.1 2 6.5 6M15 4.8a3.5 3.5 0 0 1 0 6.4M17 14.300c2.7.6 4.200 2.5 4.5 5.700"/>',
  trash: '<path d="M4 6.5h16M9 6V3.5h6V6M6 6.5 7 20.5h10l1-14M10 10.5v6M14 10.5v6"/>',
  undo: '<path d="M8.5 4.5 4 9l4.5 4.5M4 9h10.5a5.5 5.5 0 0 1 0 11H9"/>',
  up: '<path d="m5 15 7-7 7 7"/>',
  user: '<circle cx="12" cy="8" r="4"/><path d="M4 20.5c.5-4.500 3.500-6.500 8-6.500s7.500 2 8 6.500"/>',
} as const
