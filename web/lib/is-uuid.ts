const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Whether a text is a UUID and so can be the id of a database row. Check an id from a URL first, because anyone can
 * type any text into a URL.
 */
export function isUuid(text: string): boolean {
  return pattern.test(text)
}
