import type { SettingsSection } from '#contracts/database.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** A list of the settings with the version of its section. Saving the list requires this version. */
export type VersionedList<Row> = { readonly rows: readonly Row[]; readonly version: number }

/**
 * Reads the version first: a change between the two reads then causes a version conflict at the next save instead of
 * being lost.
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
