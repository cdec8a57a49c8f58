import { useEffect } from 'react'
import { paths } from '#web/lib/paths.ts'
import { useLocation, useNavigate } from '#web/site/router.tsx'
import type { BookingDraft } from './draft/booking-draft.ts'

/** The wizard's views; the first three are its numbered steps. */
export type Step = 'service' | 'time' | 'details' | 'confirmed'

export const steps = ['service', 'time', 'details'] as const satisfies Step[]

/**
 * The step in the URL ('?step=time'), or an earlier step if the draft lacks a choice. Each step is a history entry, so
 * that the browser's Back button leads to the previous step.
 */
export function useStep(
  draft: BookingDraft,
  isHydrated: boolean,
): {
  step: Step
  go: (to: Step) => void
  back: () => void
} {
  const { search } = useLocation()
  const navigate = useNavigate()
  const named = readStep(search)
  const step = allowedStep(named, draft)
  useEffect(() => {
    // After a page change, the URL may already be that of the next page while React still renders this page.
    const isHere = window.location.pathname === paths.bookAppointment
    if (isHydrated && isHere && step !== named) navigate(addressOf(step), { replace: true })
  }, [step, named, navigate, isHydrated])

  function go(to: Step) {
    navigate(addressOf(to))
    history.replaceState({ previousStep: step }, '')
  }
  /**
   * Goes back in the browser's history if the entry before the current one is the previous step; otherwise replaces the
   * current entry.
   */
  function back() {
    const previous = steps[steps.indexOf(step as 'time') - 1] ?? 'service'
    const state: unknown = history.state
    const cameFrom =
      typeof state === 'object' && state !== null && 'previousStep' in state
        ? state.previousStep
        : undefined
    if (cameFrom === previous) history.back()
    else navigate(addressOf(previous), { replace: true })
  }
  return { step, go, back }
}

function addressOf(step: Step): string {
  return step === 'service' ? paths.bookAppointment : `${paths.bookAppointment}?step=${step}`
}

function readStep(search: string): Step {
  const named = new URLSearchParams(search).get('step')
  return named === 'time' || named === 'details' || named === 'confirmed' ? named : 'service'
}

/**
 * Returns the step that the URL names (`named`), or the last earlier step for which the draft already has the required
 * choices.
 */
function allowedStep(named: Step, { service, date, time, confirmed }: BookingDraft): Step {
  if (named === 'service') return 'service'
  if (confirmed && !service) return 'confirmed'
  if (!service) return 'service'
  return named === 'details' && date && time ? 'details' : 'time'
}
