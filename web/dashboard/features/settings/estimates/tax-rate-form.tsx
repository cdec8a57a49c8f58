import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { formatRate, parseRate } from '#domain/money/tax-rate.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { reasonOf, toastFailure, toastRefusal } from '../kit/save-errors.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { addTaxRate } from './tax-rates-api.ts'
import { useRefetchTaxRates } from './use-refetch-tax-rates.ts'

type RateForm = { rate: string; from: string }

const empty: RateForm = { rate: '', from: '' }
const wrong = {
  rate: 'Please enter a rate in percent, at most 30, with at most four decimals.',
  from: 'Please enter the first day.',
} as const
const duplicateDate = { from: 'A tax rate from this day already exists. Remove that rate first.' }

/** Adds a tax rate and the first day on which the rate applies. That day may be in the future. */
export function TaxRateForm() {
  const element = useRef<HTMLFormElement>(null)
  const [values, onChange] = useState(empty)
  const form = useForm<RateForm>({ element, values, onChange, limits: { rate: 10 } })
  const isOffline = useOfflineSince() !== undefined
  const readRatesAgain = useRefetchTaxRates()
  useUnsavedChanges(values.rate + values.from === '' ? [] : ['Tax rate'])
  const adding = useMutation({
    mutationFn: addTaxRate,
    onSuccess: async (_added, { rate, from }) => {
      await readRatesAgain()
      onChange(empty)
      toast({
        title: 'Saved',
        description: `${formatRate(rate)}% for estimates created from ${formatDate(from)} on.`,
      })
    },
    onError: (error) => {
      if (reasonOf(error) === 'tax_rates_pkey') refuse(duplicateDate)
      else toastFailure(error)
    },
  })

  function refuse(errors: Partial<RateForm>) {
    toastRefusal(errors)
    form.complain(errors)
  }

  function add() {
    if (adding.isPending || isOffline) return
    const rate = parseRate(values.rate)
    const errors = {
      ...(rate === undefined && { rate: wrong.rate }),
      ...(!/^\d{4}-\d\d-\d\d$/.test(values.from) && { from: wrong.from }),
    }
    if (rate === undefined || Object.keys(errors).length > 0) return refuse(errors)
    form.accept()
    adding.mutate({ rate, from: values.from })
  }
  return (
    <form
      ref={element}
      className="tax-rate-form"
      aria-label="Add a tax rate"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Input
        {...form.field('rate')}
        label="Rate in percent"
        inputMode="decimal"
        autoComplete="off"
      />
      <Input {...form.field('from')} label="From" type="date" />
      <Button type="submit" compact busy={adding.isPending && 'Saving…'} disabled={isOffline}>
        Add
      </Button>
    </form>
  )
}
