import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { formatMediumDate } from '#domain/calendar/calendar-date.ts'
import type { VehicleRecord } from '#contracts/customers.ts'
import { DataError } from '#web/lib/data/request-data.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { recordOdometer, removeReading } from '#web/dashboard/kit/customers/customers-api.ts'
import { formatMiles } from '#web/dashboard/kit/customers/customer-text.ts'
import { useCustomerChange } from '#web/dashboard/kit/customers/use-customer-change.ts'

const shownReadings = 6
const mostMiles = 2_000_000

/** Lists the odometer readings of a vehicle and records a new one. */
export function OdometerCard({ vehicle }: { vehicle: VehicleRecord }) {
  const today = useShopToday()
  const formId = useId()
  const [input, setInput] = useState('')
  const [readOn, setReadOn] = useState(today)
  const [error, setError] = useState<string>()
  const recording = useCustomerChange(
    ({ miles, isCertain }: { miles: number; isCertain: boolean }) =>
      recordOdometer(vehicle.id, { miles, readOn }, isCertain),
  )
  const removing = useCustomerChange(removeReading)
  const isOffline = useOfflineSince() !== undefined
  const other = readingAgainst(recording.error)

  async function record(isCertain: boolean) {
    const miles = milesOf(input)
    setError(miles === undefined ? 'Enter the miles as a whole number.' : undefined)
    if (miles !== undefined && (await recording.run({ miles, isCertain }))) setInput('')
  }

  return (
    <section className="card customer-card">
      <h3>Odometer</h3>
      <ul className="odometer-readings">
        {vehicle.odometer.slice(0, shownReadings).map((reading) => (
          <li key={reading.id}>
            <b>{formatMiles(reading.miles)}</b> <span>{formatMediumDate(reading.readOn)}</span>
            <Button
              compact
              level="quiet"
              disabled={removing.isBusy || isOffline}
              aria-label={`Remove ${formatMiles(reading.miles)}`}
              onClick={() => void removing.run(reading.id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <form
        id={formId}
        className="customer-form-fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void record(false)
        }}
      >
        <Input
          label="Miles"
          inputMode="numeric"
          autoComplete="off"
          maxLength={9}
          value={input}
          error={error}
          onChange={({ target }) => setInput(target.value)}
        />
        <Input
          label="Read on"
          type="date"
          max={today}
          value={readOn}
          onChange={({ target }) => setReadOn(target.value)}
        />
      </form>
      {other ? (
        <Notice
          tone="bad"
          title={`The odometer showed ${formatMiles(other.miles)} on ${formatMediumDate(other.readOn)}.`}
        >
          The new reading is lower than that.{' '}
          <Button compact onClick={() => void record(true)}>
            Save anyway
          </Button>
        </Notice>
      ) : (
        recording.failure && (
          <Notice tone="bad" title="Could not save.">
            {recording.failure}
          </Notice>
        )
      )}
      <Button
        type="submit"
        form={formId}
        compact
        busy={recording.isBusy && 'Saving…'}
        disabled={isOffline || input.trim() === ''}
      >
        Record odometer
      </Button>
    </section>
  )
}

/** Parses a typed reading: '71,506' → 71506; undefined for a text that cannot be an odometer reading. */
function milesOf(input: string): number | undefined {
  const digits = input.replaceAll(/[\s,]/g, '')
  const miles = /^\d{1,7}$/.test(digits) ? Number(digits) : undefined
  return miles === undefined || miles > mostMiles ? undefined : miles
}

const against = z.object({ miles: z.int(), readOn: z.string() })

/** The earlier reading that the new reading contradicts, if the database refused the new reading for that reason. */
function readingAgainst(error: Error | null) {
  if (!(error instanceof DataError) || error.hint !== 'odometer_decreased') return undefined
  return against.safeParse(JSON.parse(error.detail ?? 'null')).data
}
