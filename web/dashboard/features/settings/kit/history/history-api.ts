import type { SettingsSection } from '#contracts/database.ts'
import type { Json } from '#contracts/database-types.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** One recorded change of the settings. */
export type HistoryLine = {
  readonly id: number
  readonly section: SettingsSection
  /** The name of the changed record, such as a bay or a weekday; '' in a section with only one record. */
  readonly subject: string
  readonly action: 'added' | 'changed' | 'removed'
  /** The changed columns with their values before and after the change. */
  readonly before: Json | null
  readonly after: Json | null
  readonly changed_by_name: string
  readonly changed_at: string
}

/**
 * Reads the latest changes of settings sections, or of one record of a section, newest first. Also returns the total
 * number of changes.
 */
export async function listHistory(
  sections: readonly SettingsSection[],
  limit: number,
  subject?: string,
): Promise<{ lines: HistoryLine[]; total: number }> {
  const { data, count } = await requestData((service) => {
    const request = service
      .from('settings_history')
      .select('id, section, subject, action, before, after, changed_by_name, changed_at', {
        count: 'exact',
      })
      .in('section', sections)
    const chosen = subject === undefined ? request : request.eq('subject', subject)
    return chosen.order('id', { ascending: false }).limit(limit)
  })
  return { lines: data, total: count }
}
