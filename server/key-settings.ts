import type { Config } from './config.ts'
import type { KeySettings } from './platform/keys/open-keys.ts'

/**
 * Several machines can run processes of the site only with an external database. Therefore, only an external database
 * stores copies of the keys.
 */
export function keySettings(
  { ownerUrl }: { readonly ownerUrl: string },
  { dataDirectory, databaseUrl }: Pick<Config, 'dataDirectory' | 'databaseUrl'>,
): KeySettings {
  return { ownerUrl, dataDirectory, isShared: databaseUrl !== undefined }
}
