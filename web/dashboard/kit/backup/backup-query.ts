import { type Backup, backupEndpoints } from '#contracts/backup.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

const everyMs = 30_000
/**
 * The refetch interval while a restore drill runs, in milliseconds. The interval is short, because a drill enters its
 * next step within seconds.
 */
const whileDrillingMs = 2_000

/** The query of the backup's state, which the Today page and the settings share. */
export const backupQuery = {
  queryKey: ['backup'],
  queryFn: async (): Promise<Backup> => orThrow(await callAsAdmin(backupEndpoints.read)),
  refetchInterval: ({ state }: { state: { data?: Backup | undefined } }) =>
    state.data?.runningDrill ? whileDrillingMs : everyMs,
}
