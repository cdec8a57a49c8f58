import { Icon } from '#web/ui/icon/icon.tsx'
import { useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { Button } from '#web/ui/button/button.tsx'
import { useSampleWeek } from './use-step-actions.ts'
import './onboarding.css'

/** Banner on every page of the dashboard while it contains the invented records of the sample week. */
export function SampleWeekBanner() {
  const progress = useOnboarding()
  const { remove } = useSampleWeek()
  if (!progress?.hasSampleWeek) return null
  return (
    <aside className="sample-banner" aria-label="Sample week">
      <Icon name="calendar" />
      <span>
        <b>This is a sample week.</b> No emails are sent and no cards are charged.
      </span>
      <Button compact disabled={remove.isPending} onClick={() => remove.mutate()}>
        {remove.isPending ? 'Removing…' : 'Remove sample data'}
      </Button>
    </aside>
  )
}
