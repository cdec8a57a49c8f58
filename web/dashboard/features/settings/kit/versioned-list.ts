import type { SettingsSection } from '#contracts/database.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** A list of the settings with the version of its section, which whoever saves the list names. */
export type VersionedList<Row> = { readonly rows: readonly Row[]; readonly version: number }

/** The version first: a change between the two readings is refused when it is saved over, not lost. */
export async function readVersionedList<Row>(
  section: SettingsSection,
  readRows: () => Promise<readonly Row[]>,
): Promise<VersionedList<Row>> {
  const { data } = await requestData((service) =>
    service.from('settings_versions').select('version').eq('section', section).single(),
  )
  return { rows: await readRows(), version: data.version }
}
