import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { backupEndpoints } from '#contracts/backup.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { saveFile } from '#web/lib/data/fetch-file.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { toastFailure } from '../kit/save-errors.ts'

/** Saves the key file of the backup on the owner's computer after the owner has confirmed the password. */
export function SaveKeyButton({ isFirst }: { isFirst: boolean }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const saving = useMutation({
    mutationFn: async () => {
      const result = await callAsAdmin(backupEndpoints.keyFile)
      if (!result.ok && result.refusal.code === 'STEP_UP_REQUIRED') return undefined
      return orThrow(result)
    },
    onSuccess: (file) => {
      if (!file) return setIsConfirming(true)
      saveFile(new Blob([`${file.content}\n`], { type: 'text/plain' }), 'backup.key')
      toast({
        title: 'Key file saved',
        description: 'Keep it away from this machine and from the backup.',
      })
    },
    onError: toastFailure,
  })
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
      {isConfirming && (
        <StepUpDialog
          action="save the key of the backup, which opens every copy of your records"
          onCancel={() => setIsConfirming(false)}
          onConfirmed={() => {
            setIsConfirming(false)
            saving.mutate()
          }}
        />
      )}
    </>
  )
}
