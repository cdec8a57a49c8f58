import { useMutation } from '@tanstack/react-query'
import { auditFileEndpoint } from '#contracts/audit.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { fetchAsAdmin, saveFile } from '#web/lib/data/fetch-file.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import type { AuditFilter } from './audit-api.ts'

/**
 * Downloads the filtered audit lines as a file, after step-up authentication. The server records the download as a new
 * audit line.
 */
export function AuditFile({ filter: { what, who, days } }: { filter: AuditFilter }) {
  const making = useMutation({
    mutationFn: async () => {
      const request = { ...(what && { what }), ...(who && { who }), ...(days && { days }) }
      saveFile(orThrow(await fetchAsAdmin(auditFileEndpoint, request)), 'audit.csv')
    },
  })
  const { confirmation, error } = stepUpOf(making)
  return (
    <>
      <Button compact busy={making.isPending && 'Downloading…'} onClick={() => making.mutate()}>
        <Icon name="download" />
        Download CSV
      </Button>
      {error && (
        <Notice tone="bad" title="The file could not be downloaded.">
          No file was saved. Try again.
        </Notice>
      )}
      {confirmation && <StepUpDialog {...confirmation} action="download the audit" />}
    </>
  )
}
