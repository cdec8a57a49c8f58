import type { SettingsSection } from '#contracts/database.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/**
 * A list of settings records, such as the bays, and its version. The server saves the list only if the request contains
 * the current version.
 */
export type VersionedList<Row> = { readonly rows: readonly Row[]; readonly version: number }

/**
 * Reads the version before the list. If another user changes the list between the two reads, the next save then fails
 * with a version conflict instead of overwriting that change.
 */
export async function readVersionedList<Row>(
  section: SettingsSection,
  readRows: () => Promise<readonly Row[]>,
): Promise<VersionedList<Row>> {
  const { data } = await requestData((service) =>
    service.from('settings_versions').select('version').eq('section', section).single(),
  )
  return { rows: await readRows(), version: data.version }
}
