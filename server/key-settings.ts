import type { Config } from './config.ts'
import type { KeySettings } from './platform/keys/open-keys.ts'

/**
 * Only an external database can be used by several machines, and these machines need the same keys. Therefore, an
 * external database stores copies of the keys; the embedded database does not.
 */
export function keySettings(
  { ownerUrl }: { readonly ownerUrl: string },
  { dataDirectory, databaseUrl }: Pick<Config, 'dataDirectory' | 'databaseUrl'>,
): KeySettings {
  return { ownerUrl, dataDirectory, isShared: databaseUrl !== undefined }
}
