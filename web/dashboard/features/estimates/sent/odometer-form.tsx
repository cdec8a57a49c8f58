import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Estimate } from '#contracts/estimates/estimates.ts'
import { refetchQueries } from '#web/lib/data/refetch.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { recordEstimateOdometer } from '../estimates-api.ts'
import { estimateErrorMessage } from '../estimate-errors.ts'
import { readMiles } from '../form/estimate-form.ts'

/** Records the odometer reading of a sent estimate, which the invoice requires. The customer's approvals stay valid. */
export function OdometerForm({ estimate }: { estimate: Estimate }) {
  const [input, setInput] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const recording = useRecording(estimate)
  const miles = readMiles(input)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsRefused(miles === undefined)
    if (miles !== undefined) recording.mutate(miles)
  }
  const refusal = isRefused && miles === undefined
  return (
    <form className="odometer-form" onSubmit={submit} noValidate>
      <Input
        label="Odometer"
        inputMode="numeric"
        maxLength={9}
        autoComplete="off"
        hint="The invoice states this reading. The approvals stay valid."
        error={
          refusal
            ? 'Enter the miles as a whole number, for example 71506.'
            : recording.error
              ? estimateErrorMessage(recording.error)
              : undefined
        }
        value={input}
        onChange={({ target }) => setInput(target.value)}
      />
      <Button compact type="submit" busy={recording.isPending && 'Saving…'}>
        Save odometer
      </Button>
    </form>
  )
}

function useRecording({ id, version }: Estimate) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (miles: number) => recordEstimateOdometer(id, version, miles),
    onSettled: () => refetchQueries(queries, 'estimates'),
  })
}
