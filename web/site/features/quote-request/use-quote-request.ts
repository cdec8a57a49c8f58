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
import { quoteDraft } from './quote-draft.ts'
import { sendQuoteRequest } from './send-quote-request.ts'

/** The quote form: what is typed, kept and sent. `element` is the form itself. */
export function useQuoteRequest() {
  const shop = useShop()
  const element = useRef<HTMLFormElement>(null)
  const guard = useFormGuard()
  const [input, setInput] = useState(emptyQuoteForm)
  const [isBusy, setIsBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm({ element, values: input, onChange: changeInput, limits: quoteFieldLimits })

  // The client's code comes while the visitor types. Offline now is no reason to complain: submit tries again.
  useEffect(() => void getVisitorService().catch(() => {}), [])
  useLayoutEffect(() => {
    if (element.current) setInput(begun(element.current))
  }, [])
  useEffect(() => {
    if (input !== emptyQuoteForm) quoteDraft.remember(input)
  }, [input])

  function changeInput(change: (before: QuoteForm) => QuoteForm) {
    setInput(change)
    setSentTo(null)
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const checked = checkQuoteForm(input)
    if (!checked.ok) return form.refuse(checked.refusal)
    form.accept()
    setSentTo(null)
    setIsBusy(true)
    const isStored = await sendQuoteRequest(checked.value, await guard.headers())
    setIsBusy(false)
    if (!isStored) return toast(failed)
    guard.renew()
    setInput(emptyQuoteForm)
    quoteDraft.forget()
    setSentTo(checked.value.email)
    toast({
      title: 'Quote Request Submitted!',
      description: `We'll contact you within ${replyTime(shop)} with your personalized quote.`,
    })
  }

  return { element, form, honeypot: guard.honeypot, isBusy, sentTo, submit }
}

/** What a fresh form begins with: the draft, and before it what was typed while the page was not awake yet. */
function begun(form: HTMLFormElement): QuoteForm {
  const begun = { ...(quoteDraft.recall() ?? emptyQuoteForm) }
  for (const name of Object.keys(begun) as (keyof QuoteForm)[]) {
    const field = form.elements.namedItem(name)
    if (field && 'value' in field && field.value) begun[name] = field.value
  }
  return begun
}

const failed = {
  title: 'Submission Failed',
  description: 'There was an error submitting your request. Please try again.',
  variant: 'destructive',
} as const
