import { useEffect, useLayoutEffect, useRef } from 'react'
import { paths } from '#web/lib/paths.ts'
import { useNavigate } from '#web/site/router.tsx'
import { useShop } from '#web/lib/shop.ts'
import { getVisitorService } from '#web/lib/data/supabase.ts'
import { useHydrated } from '#web/lib/browser/use-hydrated.ts'
import { BookingPaused } from './booking-paused.tsx'
import { BookingConfirmed } from './confirmation/booking-confirmed.tsx'
import { type BookingDraft, emptyDraft } from './draft/booking-draft.ts'
import { changeDraft, clearDraft, currentDraft, useBookingDraft } from './draft/draft-store.ts'
import { ChooseService } from './service/choose-service.tsx'
import { ChooseTime } from './time/choose-time.tsx'
import { ConfirmAppointment } from './confirmation/confirm-appointment.tsx'
import type { Service } from './service/load-services.ts'
import { useConfirmBooking } from './confirmation/use-confirm-booking.ts'
import { steps, useStep, type Step } from './use-step.ts'
import { WizardFrame } from './wizard-frame.tsx'

const titles = {
  service: 'Choose Your Service',
  time: 'Pick Your Time',
  details: 'Confirm Your Booking',
} as const satisfies Record<(typeof steps)[number], string>

/** /book-appointment: three steps and the success view (docs/product.md 2.3). */
export function BookingWizard() {
  const isHydrated = useHydrated()
  const { isPaused } = useShop().rules
  const stored = useBookingDraft()
  const draft = isHydrated ? stored : emptyDraft
  const { step, go, back } = useStep(draft, isHydrated)
  const navigate = useNavigate()
  const confirming = useConfirmBooking(draft.form, (setback) => {
    if (setback.step === 'time') back()
    if (setback.step === 'service') navigate(paths.bookAppointment)
  })
  useFocusOnNewStep(step)
  // Loads the code of the data client while the visitor reads the page. A failure is ignored, because the next request
  // loads the code again.
  useEffect(() => void getVisitorService().catch(() => {}), [])

  function bookAnother() {
    navigate(paths.home)
    clearDraft()
  }
  const { confirmed } = draft
  if (step === 'confirmed' && confirmed) {
    return <BookingConfirmed booking={confirmed} onBookAnother={bookAnother} />
  }
  if (isPaused) return <BookingPaused />
  const shown = step === 'confirmed' ? 'service' : step
  return (
    <WizardFrame
      number={steps.indexOf(shown) + 1}
      title={titles[shown]}
      // In the last step, the message about a failed booking is next to the submit button instead of above the step.
      problem={shown === 'details' ? null : draft.problem}
      onBack={back}
    >
      <StepContent step={shown} draft={draft} confirming={confirming} onGo={go} />
    </WizardFrame>
  )
}

type StepContentProps = {
  step: (typeof steps)[number]
  draft: BookingDraft
  confirming: ReturnType<typeof useConfirmBooking>
  onGo: (to: Step) => void
}

/** Shows the content of a step. Each choice opens the next step. */
function StepContent({ step, draft, confirming, onGo }: StepContentProps) {
  const { service, date, time, problem } = draft
  function selectService(chosen: Service) {
    chooseService(chosen)
    onGo('time')
  }
  function selectTime(chosen: string) {
    changeDraft({ time: chosen, problem: null })
    onGo('details')
  }
  if (step === 'service') return <ChooseService onChoose={selectService} />
  if (!service) return null
  if (step === 'time') {
    return <ChooseTime service={service} date={date} onDate={chooseDate} onTime={selectTime} />
  }
  if (!date || !time) return null
  const choice = { service, date, time }
  return (
    <ConfirmAppointment
      choice={choice}
      element={confirming.element}
      form={confirming.form}
      problem={problem}
      isConfirming={confirming.isConfirming}
      honeypot={confirming.honeypot}
      onSubmit={() => void confirming.confirm(choice)}
    />
  )
}

function chooseService(service: Service) {
  const before = currentDraft()
  const isSame = service.id === before.service?.id
  changeDraft({ service, time: isSame ? before.time : null, problem: null, confirmed: null })
}

function chooseDate(date: string) {
  const before = currentDraft()
  // A new date discards the chosen time, which might be occupied on that date.
  changeDraft({ date, time: date === before.date ? before.time : null })
}

/** Treats a new step like a new page: scrolls to the top and focuses its heading. */
function useFocusOnNewStep(step: Step): void {
  const previous = useRef(step)
  useLayoutEffect(() => {
    if (previous.current === step) return
    previous.current = step
    scrollTo({ top: 0, behavior: 'instant' })
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [step])
}
