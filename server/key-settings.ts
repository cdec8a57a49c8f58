import type { Config } from './config.ts'
import type { KeySettings } from './platform/keys/open-keys.ts'

/**
 * Only an external database can be shared by processes on several machines, so the keys are stored in the database only
 * if it is external.
 */
export function keySettings(
  { ownerUrl }: { readonly ownerUrl: string },
  { dataDirectory, databaseUrl }: Pick<Config, 'dataDirectory' | 'databaseUrl'>,
): KeySettings {
  return { ownerUrl, dataDirectory, isShared: databaseUrl !== undefined }
}
