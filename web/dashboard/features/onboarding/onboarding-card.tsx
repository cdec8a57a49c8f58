import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { OnboardingStep, Onboarding } from '#contracts/onboarding.ts'
import { settingsLink } from '#web/dashboard/kit/navigation/links.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { useRefetchOnLiveEvent } from '#web/lib/live/use-refetch-on-live-event.ts'
import { isConfirmable, formatProgress, listSteps, stepText } from './step-text.ts'
import { firstStepsKey, useOnboarding } from '#web/dashboard/kit/records/use-onboarding.ts'
import { OwnerOnly, useIsOwner } from '#web/dashboard/kit/staff/staff-role.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { useSampleWeek, useOnboardingActions } from './use-step-actions.ts'
import './onboarding.css'

type Props = { username: string }

/** The onboarding steps that the role may do in a new shop. Renders nothing once all steps are done or hidden. */
export function OnboardingCard(props: Props) {
  const progress = useOnboarding()
  const isOwner = useIsOwner()
  const steps = progress && listSteps(progress, isOwner)
  return steps ? <Card {...props} steps={steps} progress={progress} /> : null
}

type Steps = NonNullable<Onboarding['steps']>

function Card({ steps, progress, ...line }: Props & { steps: Steps; progress: Onboarding }) {
  // On a phone the steps are collapsed at first, so that the day's appointments come first.
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
            <li key={id}>{isDone ? <DoneStep id={id} /> : <OpenStep id={id} {...line} />}</li>
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

function OpenStep({ id, username }: Props & { id: OnboardingStep }) {
  const { confirm } = useOnboardingActions()
  const { label, section } = stepText[id]
  if (!section) return <PasswordStep label={label} username={username} />
  return (
    <div className="step-open">
      <Link {...settingsLink(section)}>
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

function PasswordStep({ label, username }: { label: string; username: string }) {
  return (
    <details>
      <summary>
        {label}
        <Icon name="chevron-right" />
      </summary>
      <p>
        You now use the password that the first start printed. To choose your own, run{' '}
        <code>npm run admin -- password {username}</code> on the server. It asks for a new password
        and signs you out.
      </p>
    </details>
  )
}

/**
 * The button that adds the sample week. The prompt disappears when the shop gets its first real record, also from
 * another window.
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
        invoices. No emails are sent and no cards are charged. One click removes it.
      </span>
      <Button compact disabled={fill.isPending} onClick={() => fill.mutate()}>
        {fill.isPending ? 'Filling in…' : 'Fill in a sample week'}
      </Button>
    </p>
  )
}
