/**
 * Returns the `mailto:` link of an email address. Escapes all special characters of an untrusted email address
 * (`?bcc=…`).
 */
export function mailto(address: string): string {
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`
}
