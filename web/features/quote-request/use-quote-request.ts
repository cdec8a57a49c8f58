import { useEffect, useLayoutEffect, useRef, useState, type SubmitEvent } from 'react'
import {
  checkQuoteForm,
  emptyQuoteForm,
  type QuoteForm,
  type QuoteRefusal,
} from '#domain/quote-form.ts'
import { useFormGuard } from '#web/lib/form-guard.ts'
import { getDataService } from '#web/lib/supabase.ts'
import { toast } from '#web/ui/toast.ts'
import { quoteDraft } from './quote-draft.ts'
import { sendQuoteRequest } from './send-quote-request.ts'

export type QuoteErrors = Partial<Record<keyof QuoteForm, string>>

/** The quote form: what was typed lives in the fields themselves, so nothing typed before hydration is lost. */
export function useQuoteRequest() {
  const form = useRef<HTMLFormElement>(null)
  const guard = useFormGuard()
  const [errors, setErrors] = useState<QuoteErrors>({})
  const [isBusy, setIsBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)

  // The client's code comes while the visitor types. Offline now is no reason to complain: submit tries again.
  useEffect(() => void getDataService().catch(() => {}), [])

  useLayoutEffect(() => {
    if (form.current) fillIn(form.current, quoteDraft.recall() ?? emptyQuoteForm)
  }, [])

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy || !form.current) return
    const element = form.current
    const checked = checkQuoteForm(read(element))
    if (!checked.ok) return refuse(checked.refusal)
    setErrors({})
    setSentTo(null)
    setIsBusy(true)
    const isStored = await sendQuoteRequest(checked.value, await guard.headers())
    setIsBusy(false)
    if (!isStored) return toast(failed)
    guard.renew()
    element.reset()
    quoteDraft.forget()
    setSentTo(checked.value.email)
    toast(submitted)
  }

  function refuse({ title, message, fields }: QuoteRefusal) {
    setErrors(Object.fromEntries(fields.map((field) => [field, message])))
    toast({ title, description: message, variant: 'destructive' })
    const first = fields[0] && form.current?.elements.namedItem(fields[0])
    if (first instanceof HTMLElement) first.focus()
  }

  /** What is typed is kept, and a field that is being corrected stops complaining. */
  function noteChange(field: keyof QuoteForm) {
    if (form.current) quoteDraft.remember(read(form.current))
    if (errors[field]) setErrors((before) => ({ ...before, [field]: undefined }))
    if (sentTo) setSentTo(null)
  }

  return { form, honeypot: guard.honeypot, errors, isBusy, sentTo, submit, noteChange }
}

function read(form: HTMLFormElement): QuoteForm {
  const data = new FormData(form)
  const text = (field: keyof QuoteForm) => {
    const value = data.get(field)
    return typeof value === 'string' ? value : ''
  }
  return {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    vehicleYear: text('vehicleYear'),
    vehicleMake: text('vehicleMake'),
    vehicleModel: text('vehicleModel'),
    serviceType: text('serviceType'),
    description: text('description'),
  }
}

/** What was typed before the page was alive is newer than the draft. */
function fillIn(form: HTMLFormElement, draft: QuoteForm) {
  for (const [name, text] of Object.entries(draft)) {
    const field = form.elements.namedItem(name)
    if (field && 'value' in field && field.value === '') field.value = text
  }
}

const submitted = {
  title: 'Quote Request Submitted!',
  description: "We'll contact you within 24 hours with your personalized quote.",
}

const failed = {
  title: 'Submission Failed',
  description: 'There was an error submitting your request. Please try again.',
  variant: 'destructive',
} as const
