import { useState } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { lazyComponent } from '#web/dashboard/kit/controls/lazy-component.tsx'
import { useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { OwnerOnly } from '#web/dashboard/kit/staff/staff-role.tsx'
import { Button } from '#web/ui/button/button.tsx'
import './onboarding.css'

const RemoveSampleWeekDialog = lazyComponent(
  () => import('./remove-sample-week-dialog.tsx').then((module) => module.RemoveSampleWeekDialog),
  null,
)

/** A banner on every page of the dashboard while the shop contains the invented records of the sample week. */
export function SampleWeekBanner() {
  const progress = useOnboarding()
  const [isAsking, setIsAsking] = useState(false)
  if (!progress?.hasSampleWeek) return null
  return (
    <aside className="sample-banner" aria-label="Sample week">
      <Icon name="calendar" />
      <span>
        <b>This is a sample week.</b> No emails are sent and no cards are charged.
      </span>
      <OwnerOnly>
        <Button compact onClick={() => setIsAsking(true)}>
          Remove sample data
        </Button>
      </OwnerOnly>
      {isAsking && <RemoveSampleWeekDialog onClose={() => setIsAsking(false)} />}
    </aside>
  )
}
