/**
 * The maximum size, in bytes, of a file that the page accepts as a key file. A key file has less than a hundred bytes.
 */
const mostBytes = 4_096

/**
 * The fingerprint of a key file, as the server computes it (server/platform/backup/objects/backup-key.ts): the first
 * twelve hexadecimal digits of the SHA-256 of the key. The key is the SHA-256 of a prefix followed by the file's text.
 */
export async function readFingerprint(file: Blob): Promise<string> {
  const text = (await file.slice(0, mostBytes).text()).trim()
  const key = await sha256(new TextEncoder().encode(`torque-and-timing backup ${text}`))
  const digits = [...new Uint8Array(await sha256(key))]
    .slice(0, 6)
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return (digits.toUpperCase().match(/.{4}/g) ?? []).join(' ')
}

const sha256 = (content: BufferSource) => crypto.subtle.digest('SHA-256', content)
