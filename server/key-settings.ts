import type { Config } from './config.ts'
import type { KeySettings } from './platform/keys/open-keys.ts'

/** Only a database of the owner's own can have processes on several machines. */
export function keySettings(
  { ownerUrl }: { readonly ownerUrl: string },
  { dataDirectory, databaseUrl }: Pick<Config, 'dataDirectory' | 'databaseUrl'>,
): KeySettings {
  return { ownerUrl, dataDirectory, isShared: databaseUrl !== undefined }
}
