const pattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text, as of an address that anybody may write, can be a row's id. */
export function isUuid(text: string): boolean {
  return pattern.test(text)
}
