/**
 * The browsers in the order in which their names are searched. The user agents of Edge, Opera and Samsung Internet also
 * contain 'Chrome'; the user agent of Chrome also contains 'Safari'.
 */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

/**
 * The operating systems in the order in which their names are searched. The user agent of Android also contains
 * 'Linux'; those of iPhone and iPad also contain 'Mac OS X'.
 */
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Describes the browser of a user agent (RFC 9110, section 10.1.5) in a few words, such as 'Chrome on Windows'. All
 * words come from `browsers` and `systems`, so that a forged user agent cannot put its own text into the list of
 * sessions.
 */
export function describeDevice(userAgent: string | undefined): string {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1],
  )
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
