import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { calendarFeedEndpoints } from '#contracts/calendar-feed.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { isStepUpRequired, stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { callAsAdmin } from '#web/lib/data/call-as-admin.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { Button } from '#web/ui/button/button.tsx'
import { toastFailure } from '../kit/save-errors.ts'
import { SetupState } from '../kit/setup-state.tsx'

const queryKey = ['setup', 'calendar-feed']

/**
 * The card of the calendar feed with upcoming appointments. The card shows the URL of the feed. Its buttons create a
 * new URL or turn the feed off.
 */
export function CalendarFeed() {
  const feed = useQuery({
    queryKey,
    queryFn: async () => orThrow(await callAsAdmin(calendarFeedEndpoints.read)),
  })
  return (
    <section className="card settings-card">
      <h3>Calendar feed</h3>
      <p>
        Shows all upcoming appointments in the calendar on your phone or computer and updates
        automatically. Anyone with this address can see names, phone numbers and notes.
      </p>
      <SetupState query={feed} what="The address of your calendar feed">
        {feed.data && <Address url={feed.data.url} />}
      </SetupState>
    </section>
  )
}

function Address({ url }: { url: string | null }) {
  const [confirming, setConfirming] = useState<'renew' | 'end'>()
  const change = useFeedChange(() => setConfirming(undefined))
  const { confirmation } = stepUpOf(change)
  const stepUp = confirmation && change.variables && (
    <StepUpDialog action={actions[change.variables]} {...confirmation} />
  )
  if (url === null) {
    return (
      <>
        <Button compact disabled={change.isPending} onClick={() => change.mutate('renew')}>
          Create address
        </Button>
        {stepUp}
      </>
    )
  }
  return (
    <>
      <Input
        label="Address"
        readOnly
        value={url}
        hint="In your calendar app, subscribe to this address."
        onFocus={({ target }) => target.select()}
      />
      <div className="button-group">
        <Button compact onClick={() => void copy(url)}>
          Copy
        </Button>
        <Button compact onClick={() => setConfirming('renew')}>
          Create new address
        </Button>
        <Button compact level="danger" onClick={() => setConfirming('end')}>
          Turn off
        </Button>
      </div>
      <ConfirmDialog
        open={confirming !== undefined}
        title={confirming === 'end' ? 'Turn off the calendar feed?' : 'Create new address?'}
        cancelLabel="Cancel"
        confirmLabel={confirming === 'end' ? 'Turn off' : 'Create new address'}
        busy={change.isPending}
        onClose={() => setConfirming(undefined)}
        onConfirm={() => confirming && change.mutate(confirming)}
      >
        <p>Calendars with this address will no longer get appointments.</p>
      </ConfirmDialog>
      {stepUp}
    </>
  )
}

function useFeedChange(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (action: 'renew' | 'end') =>
      orThrow(await callAsAdmin(calendarFeedEndpoints[action])),
    onSuccess: (feed, action) => {
      queries.setQueryData(queryKey, feed)
      toast(done[action])
    },
    onError: (error) => !isStepUpRequired(error) && toastFailure(error),
    onSettled: onDone,
  })
}

const actions = {
  renew: 'create a new address of the calendar, which shows all upcoming appointments',
  end: 'turn off the calendar feed',
}

const done = {
  renew: { title: 'Saved', description: 'Your calendar feed has a new address.' },
  end: { title: 'Saved', description: 'The calendar feed is turned off.' },
}

async function copy(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    toast({ title: 'Copied', description: 'The address of your calendar feed.' })
  } catch {
    toast({ title: 'Could not copy', description: 'Please select the address and copy it.' })
  }
}
