import { useState } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { Button } from '#web/ui/button/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/dialog.tsx'
import { useSampleWeek } from './use-step-actions.ts'
import './onboarding.css'

/** Banner on every page of the dashboard while it contains the invented records of the sample week. */
export function SampleWeekBanner() {
  const progress = useOnboarding()
  const { remove } = useSampleWeek()
  const [isAsking, setIsAsking] = useState(false)
  const close = () => setIsAsking(false)
  if (!progress?.hasSampleWeek) return null
  return (
    <aside className="sample-banner" aria-label="Sample week">
      <Icon name="calendar" />
      <span>
        <b>This is a sample week.</b> No emails are sent and no cards are charged.
      </span>
      <Button compact onClick={() => setIsAsking(true)}>
        Remove sample data
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Remove the sample week?"
        confirmLabel="Remove it"
        busyLabel="Removing…"
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSettled: close })}
        onClose={close}
      >
        <p>
          Real appointments in a sample bay move to your bays. Those that do not fit are marked in
          the day view: move or cancel them.
        </p>
      </ConfirmDialog>
    </aside>
  )
}
