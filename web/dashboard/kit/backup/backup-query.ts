import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

const everyMs = 30_000
/**
 * The interval, in milliseconds, at which the page refetches the backup's state while a restore drill (a test that
 * restores the backup) runs. The interval is short, because the state of the drill changes every few seconds.
 */
const whileDrillingMs = 2_000

/** The query of the backup's state, which the Today page and the settings share. */
export const backupQuery = {
  queryKey: ['backup'],
  queryFn: async (): Promise<Backup> => orThrow(await callAsAdmin(backupEndpoints.read)),
  refetchInterval: ({ state }: { state: { data?: Backup | undefined } }) =>
    state.data?.runningDrill ? whileDrillingMs : everyMs,
}
