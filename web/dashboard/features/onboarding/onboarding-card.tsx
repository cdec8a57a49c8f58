import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { OnboardingStep, Onboarding } from '#contracts/onboarding.ts'
import { profileLink, settingsLink } from '#web/dashboard/kit/navigation/links.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'
import { isConfirmable, formatProgress, listSteps, stepText } from './step-text.ts'
import { firstStepsKey, useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { OwnerOnly, useIsOwner } from '#web/dashboard/kit/staff/staff-role.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useSampleWeek, useOnboardingActions } from './use-step-actions.ts'
import './onboarding.css'

/**
 * The card with the setup steps of a new shop. The card lists only steps that the user's role permits. Renders nothing
 * if all steps are done or hidden.
 */
export function OnboardingCard() {
  const progress = useOnboarding()
  const isOwner = useIsOwner()
  const steps = progress && listSteps(progress, isOwner)
  return steps ? <Card steps={steps} progress={progress} /> : null
}

type Steps = NonNullable<Onboarding['steps']>

function Card({ steps, progress }: { steps: Steps; progress: Onboarding }) {
  // On a phone the setup steps are collapsed at first, so that the day's appointments are visible without scrolling.
  const [isOpen, setIsOpen] = useState(() => window.matchMedia('(min-width: 48rem)').matches)
  const { hide } = useOnboardingActions()
  const [headingId, listId] = [useId(), useId()]
  return (
    <section className="card steps-card" aria-labelledby={headingId}>
      <header>
        <h2 id={headingId}>{formatProgress(steps)}</h2>
        <div className="button-group">
          <Button
            compact
            level="quiet"
            aria-expanded={isOpen}
            aria-controls={listId}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? 'Collapse' : 'Show steps'}
          </Button>
          <OwnerOnly>
            <Button
              compact
              level="quiet"
              disabled={hide.isPending}
              onClick={() => hide.mutate(true)}
            >
              Hide
            </Button>
          </OwnerOnly>
        </div>
      </header>
      <div className="steps-scale" aria-hidden="true">
        {steps.map(({ id, isDone }) => (
          <i key={id} data-done={isDone} />
        ))}
      </div>
      <div id={listId} hidden={!isOpen}>
        <ul>
          {steps.map(({ id, isDone }) => (
            <li key={id}>{isDone ? <DoneStep id={id} /> : <OpenStep id={id} />}</li>
          ))}
        </ul>
        <OwnerOnly>{progress.canFillSampleWeek && <SampleWeekPrompt />}</OwnerOnly>
      </div>
    </section>
  )
}

function DoneStep({ id }: { id: OnboardingStep }) {
  return (
    <span className="step-done">
      {stepText[id].label}
      <span className="visually-hidden">, done</span>
    </span>
  )
}

function OpenStep({ id }: { id: OnboardingStep }) {
  const { confirm } = useOnboardingActions()
  const { label, section } = stepText[id]
  return (
    <div className="step-open">
      <Link {...(section ? settingsLink(section) : profileLink)}>
        {label}
        <Icon name="chevron-right" />
      </Link>
      {isConfirmable(id) && (
        <Button
          compact
          level="quiet"
          disabled={confirm.isPending}
          onClick={() => confirm.mutate(id)}
        >
          Looks good<span className="visually-hidden">: {label}</span>
        </Button>
      )}
    </div>
  )
}

/**
 * The prompt with the button that adds the sample week, a set of invented records. The prompt disappears when the shop
 * gets its first real record.
 */
function SampleWeekPrompt() {
  useRefetchOnLiveEvent('bookings', firstStepsKey)
  useRefetchOnLiveEvent('quotes', firstStepsKey)
  useRefetchOnLiveEvent('tasks', firstStepsKey)
  useRefetchOnLiveEvent('estimates', firstStepsKey)
  useRefetchOnLiveEvent('invoices', firstStepsKey)
  const { fill } = useSampleWeek()
  return (
    <p className="steps-sample">
      <span>
        <b>Want to try everything first?</b> A sample week adds invented customers, vehicles and
        invoices. No emails are sent and no cards are charged. One click removes the sample week.
      </span>
      <Button compact disabled={fill.isPending} onClick={() => fill.mutate()}>
        {fill.isPending ? 'Adding…' : 'Add a sample week'}
      </Button>
    </p>
  )
}
