type SearchRecord = Readonly<Record<string, unknown>>

/**
 * Reads the search parameters of an address. Every value stays a string: the router's own parser would turn the plate
 * `662E41` into a number.
 */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(text))

/** Writes search parameters with a leading question mark, without those that are undefined. */
export function stringifySearch(search: SearchRecord): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const text = new URLSearchParams(entries).toString()
  return text && `?${text}`
}
