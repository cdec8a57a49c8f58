import { useMutation } from '@tanstack/react-query'
import { backupEndpoints } from '#contracts/backup.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { isStepUpRequired, stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { saveFile } from '#web/lib/data/fetch-file.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { toastFailure } from '../kit/save-errors.ts'

/** Saves the key file of the backup on the owner's computer, after step-up authentication. */
export function SaveKeyButton({ isFirst }: { isFirst: boolean }) {
  const saving = useMutation<{ content: string }>({
    mutationFn: async () => orThrow(await callAsAdmin(backupEndpoints.keyFile)),
    onSuccess: (file) => {
      saveFile(new Blob([`${file.content}\n`], { type: 'text/plain' }), 'backup.key')
      toast({
        title: 'Key file saved',
        description: 'Keep the key file away from this machine and from the backup.',
      })
    },
    onError: (error) => !isStepUpRequired(error) && toastFailure(error),
  })
  const { confirmation } = stepUpOf(saving)
  return (
    <>
      <Button
        compact
        level={isFirst ? 'primary' : 'secondary'}
        busy={saving.isPending && 'Saving…'}
        onClick={() => saving.mutate()}
      >
        <Icon name="download" />
        Save the key file
      </Button>
      {confirmation && (
        <StepUpDialog
          action="save the key of the backup, which opens every copy of your records"
          {...confirmation}
        />
      )}
    </>
  )
}
