import { useMutation, useQueryClient } from '@tanstack/react-query'
import { backupEndpoints } from '#contracts/backup.ts'
import { backupQuery } from '#web/dashboard/kit/backup/backup-query.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { ApiError } from '#web/lib/data/call-api.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { toast } from '#web/ui/toast/toast.ts'

type Change =
  | { readonly kind: 'drill' | 'stopDrill' | 'send' | 'resumeEmails' }
  | { readonly kind: 'confirmKey'; readonly fingerprint: string }

/**
 * Starts or stops a restore drill (a test that restores the backup), connects to the storage target again, confirms a
 * copy of the key, or lets the restored shop send emails again.
 */
export function useBackupChange() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (change: Change) =>
      orThrow(
        change.kind === 'confirmKey'
          ? await callAsAdmin(backupEndpoints.confirmKey, { fingerprint: change.fingerprint })
          : await callAsAdmin(backupEndpoints[change.kind]),
      ),
    onSuccess: (backup) => queries.setQueryData(backupQuery.queryKey, backup),
    onError: (error) =>
      toast({
        title: 'The change failed',
        description:
          (error instanceof ApiError && error.message) || 'The server did not respond. Try again.',
        variant: 'destructive',
      }),
  })
}
