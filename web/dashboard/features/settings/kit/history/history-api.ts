import type { SettingsSection } from '#contracts/database.ts'
import type { Json } from '#contracts/database-types.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** One change of the settings, as the database wrote it down. */
export type HistoryLine = {
  readonly id: number
  readonly section: SettingsSection
  /** Which row of the section: a name, a weekday; '' where there is one row. */
  readonly subject: string
  readonly action: 'added' | 'changed' | 'removed'
  /** Columns that changed, as they were and as they are. */
  readonly before: Json | null
  readonly after: Json | null
  readonly changed_by_name: string
  readonly changed_at: string
}

/** The latest changes of sections, or of one of their rows, newest first, with how many there are in all. */
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
