import { StartupError } from '@local/postgres'
import { makeKey, openKeyFiles } from '#server/platform/keys/key-files.ts'

/** The file in `DATA_DIR/keys` with the key that encrypts secrets in the database. No backup contains this file. */
export const secretsKeyFile = 'secrets.key'

const keyBytes = 32

/** Parses SECRETS_KEY: 32 bytes as 64 hexadecimal digits or as base64. Returns undefined for any other text. */
export function parseSecretsKey(text: string): Buffer | undefined {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length === keyBytes ? key : undefined
}

/**
 * Returns the key that encrypts secrets: SECRETS_KEY, or the key file of this machine, which the first start
 * creates. If processes run on several machines, SECRETS_KEY is required, because each machine has its own key file.
 */
export function openSecretsKey(dataDirectory: string, given: Buffer | undefined): Buffer {
  if (given) return given
  const files = openKeyFiles(dataDirectory)
  const stored = files.read(secretsKeyFile)
  const text = stored ?? makeKey()
  if (stored === undefined) files.write(secretsKeyFile, text)
  const key = parseSecretsKey(text)
  if (key) return key
  throw new StartupError(
    `The key file keys/${secretsKeyFile} of DATA_DIR is damaged. Restore a copy of it, or remove it and enter the email and payment settings again.`,
  )
}
