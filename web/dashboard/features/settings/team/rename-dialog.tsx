import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { teamCommands } from '#contracts/team.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { runCommand } from '#web/lib/data/run-command.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import type { StaffAccount } from './accounts-api.ts'
import { toastTeamRefusal } from './team-commands.ts'

/** Changes the displayed name of a team member. The username does not change. */
export function RenameDialog({ account, onClose }: { account: StaffAccount; onClose: () => void }) {
  const formId = useId()
  const queries = useQueryClient()
  const [name, setName] = useState(account.name)
  const [error, setError] = useState<string>()
  const renaming = useMutation({
    mutationFn: () => runCommand(teamCommands.rename, { accountId: account.id, name: name.trim() }),
    onSuccess: () => {
      toast({ title: 'Saved', description: `The username ${account.username} does not change.` })
      onClose()
    },
    onError: toastTeamRefusal,
    onSettled: () =>
      Promise.all([
        refetchQueries(queries, 'settings', 'team'),
        refetchQueries(queries, 'staff_accounts'),
        refetchQueries(queries, 'employees'),
      ]),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') setError('Please enter a name.')
    else renaming.mutate()
  }
  return (
    <Dialog
      open
      size="small"
      title={`Rename ${account.name}`}
      busy={renaming.isPending}
      onClose={onClose}
      footer={
        <>
          <Button compact disabled={renaming.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            compact
            level="strong"
            type="submit"
            form={formId}
            busy={renaming.isPending && 'Saving…'}
          >
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Input
          label="Name"
          required
          maxLength={80}
          autoComplete="off"
          data-first-focus
          value={name}
          error={error}
          onChange={({ target }) => {
            setName(target.value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
