/** Returns the `mailto:` link of an address. Everything that an untrusted address contains (`?bcc=…`) is escaped. */
export function mailto(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`
}
