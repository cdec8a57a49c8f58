/** Returns the `mailto:` link of an address. Escapes all special characters of an untrusted address (`?bcc=…`). */
export function mailto(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`
}
