import { useRef, useState } from 'react'
import { type RecordKind, recordKinds } from '#contracts/accountant.ts'
import { checkRecordRange, type RecordRange, usualRanges } from '#domain/record-range.ts'
import { type Form, useForm } from '#web/lib/use-form.ts'
import { useOfflineSince } from '#web/lib/use-offline-since.ts'
import { useShopToday } from '#web/lib/use-shop-today.ts'
import { Input } from '#web/ui/field.tsx'
import { SectionBody } from '../section-body.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { RecordFile } from './record-file.tsx'
import { useRecordFile } from './use-record-file.ts'
import './accountant.css'

/** The shop's records of some days as tables, for whoever keeps its books. */
export function AccountantSection() {
  const today = useShopToday()
  const element = useRef<HTMLDivElement>(null)
  const [days, setDays] = useState<RecordRange>(() => usualRanges(today)['Last month'])
  const form = useForm({ element, values: days, onChange: setDays })
  const file = useRecordFile()
  const isOffline = useOfflineSince() !== undefined
  function download(kind: RecordKind) {
    const checked = checkRecordRange(days)
    if (!checked.ok) return form.refuse(checked.refusal)
    form.accept()
    file.making.mutate({ kind, range: checked.value })
  }
  return (
    <SectionBody>
      <p>
        Tables for a spreadsheet or your accountant’s program. They hold names and addresses of your
        customers: hand them over in a way that you trust.
      </p>
      <SettingsCard title="Days">
        <div ref={element}>
          <UsualDays form={form} days={days} today={today} />
          <div className="settings-columns">
            <Input {...form.field('from')} type="date" label="From" />
            <Input {...form.field('to')} type="date" label="To" hint="That day too." />
          </div>
        </div>
      </SettingsCard>
      <SettingsCard title="Files">
        <ul className="record-files">
          {recordKinds.map((kind) => (
            <RecordFile
              key={kind}
              {...{ kind, file, isOffline }}
              {...words[kind]}
              onDownload={() => download(kind)}
            />
          ))}
        </ul>
      </SettingsCard>
    </SectionBody>
  )
}

const words = {
  appointments: {
    title: 'Appointments',
    holds:
      'Each appointment of these days, also those that were cancelled or missed: service, state, customer, car, bay, when it was booked and how.',
  },
  invoices: {
    title: 'Invoices',
    holds:
      'Each invoice that was made on these days, void ones too: number, customer, estimate, parts, labor and fees where they are known, tax, total, what was paid and when, and how it stands.',
  },
  people: {
    title: 'People',
    holds:
      'Each customer who booked, came, asked, was billed or was written to on these days: how to reach them, since when they are known, visits, missed ones, what they were billed and what they paid of it.',
  },
} as const satisfies Record<RecordKind, { title: string; holds: string }>

type UsualDaysProps = { form: Form<RecordRange>; days: RecordRange; today: string }

function UsualDays({ form, days, today }: UsualDaysProps) {
  return (
    <div className="action-row usual-days" role="group" aria-label="Usual days">
      {Object.entries(usualRanges(today)).map(([name, range]) => {
        const isChosen = range.from === days.from && range.to === days.to
        return (
          <button
            key={name}
            type="button"
            className={isChosen ? 'action action-strong' : 'action'}
            aria-pressed={isChosen}
            onClick={() => form.change(range)}
          >
            {name}
          </button>
        )
      })}
    </div>
  )
}
