import { useEffect, useLayoutEffect, useRef, useState, type SubmitEvent } from 'react'
import {
  checkQuoteForm,
  emptyQuoteForm,
  type QuoteForm,
  quoteFieldLimits,
} from '#domain/quotes/quote-form.ts'
import { replyTime } from '#domain/quotes/reply-time.ts'
import { useFormGuard } from '#web/site/kit/form-guard.ts'
import { useShop } from '#web/lib/shop.ts'
import { getVisitorService } from '#web/lib/data/supabase.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { toast } from '#web/ui/toast/toast.ts'
import {
  createDraftStorage,
  readStoredText,
  readStoredTexts,
} from '#web/lib/forms/draft-storage.ts'
import { sendQuoteRequest } from './send-quote-request.ts'

/** The draft of the quote form, stored until the tab is closed or the server has stored the quote request. */
const quoteDraft = createDraftStorage<QuoteForm>('quote-draft', (stored) =>
  readStoredTexts(stored, emptyQuoteForm),
)

/**
 * The email address that the visitor typed into the last quote request of this tab. The notice 'request sent' names it.
 * The address is in session storage, so that the notice survives a reload.
 */
const sentRequest = createDraftStorage<string>(
  'quote-sent-to',
  (stored) => readStoredText(stored) || undefined,
)

/** The values, draft and submission of the quote form. `element` is the form itself. */
export function useQuoteRequest() {
  const shop = useShop()
  const element = useRef<HTMLFormElement>(null)
  const guard = useFormGuard()
  const [input, setInput] = useState(emptyQuoteForm)
  const [isBusy, setIsBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({ element, values: input, onChange: changeInput, limits: quoteFieldLimits })

  // Loads the code of the data client while the visitor types. A failure is ignored, because submit tries again.
  useEffect(() => void getVisitorService().catch(() => {}), [])
  useLayoutEffect(() => {
    if (element.current) setInput(initialValues(element.current))
    setSentTo(sentRequest.recall() ?? null)
  }, [])
  useEffect(() => {
    if (input !== emptyQuoteForm) quoteDraft.remember(input)
  }, [input])

  function changeInput(change: (before: QuoteForm) => QuoteForm) {
    setInput(change)
    forgetSent()
  }

  function forgetSent() {
    setSentTo(null)
    sentRequest.forget()
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const checked = checkQuoteForm(input)
    if (!checked.ok) return form.refuse(checked.refusal)
    form.accept()
    forgetSent()
    setIsBusy(true)
    const isStored = await sendQuoteRequest(checked.value, await guard.headers())
    setIsBusy(false)
    if (!isStored) return toast(failed)
    guard.renew()
    setInput(emptyQuoteForm)
    quoteDraft.forget()
    setSentTo(checked.value.email)
    sentRequest.remember(checked.value.email)
    toast({
      title: 'Quote Request Submitted!',
      description: `We'll contact you within ${replyTime(shop)} with your personalized quote.`,
    })
  }

  return { element, form, honeypot: guard.honeypot, isBusy, sentTo, submit }
}

/** The first values of the form: the input typed before hydration, otherwise the draft. */
function initialValues(form: HTMLFormElement): QuoteForm {
  const values = { ...(quoteDraft.recall() ?? emptyQuoteForm) }
  for (const name of Object.keys(values) as (keyof QuoteForm)[]) {
    const field = form.elements.namedItem(name)
    if (field && 'value' in field && field.value) values[name] = field.value
  }
  return values
}

const failed = {
  title: 'Submission Failed',
  description: 'There was an error submitting your request. Please try again.',
  variant: 'destructive',
} as const
