/** The link that writes to an address. Whatever a stranger put behind it (`?bcc=…`) stays part of the address. */
export function mailto(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`
}
