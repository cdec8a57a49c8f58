type SearchRecord = Readonly<Record<string, unknown>>

/**
 * Parses the search parameters of a URL. Every value remains a string: the router's own parser would turn the license
 * plate `662E41` into a number.
 */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))

/** Formats search parameters with a leading question mark. Leaves out undefined parameters. */
export function stringifySearch(search: SearchRecord): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const text = new URLSearchParams(entries).toString()
  return text && `?${text}`
}
