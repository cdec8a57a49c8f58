import { useRef, useState } from 'react'
import { type AccountantFileKind, accountantFileKinds } from '#contracts/accountant-files.ts'
import { checkDateRange, type DateRange, presetRanges } from '#domain/calendar/date-range.ts'
import { StepUpDialog } from '#web/dashboard/kit/step-up/step-up-dialog.tsx'
import { type Form, useForm } from '#web/lib/forms/use-form.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Input } from '#web/ui/field/field.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { SettingsCard } from '../kit/settings-card.tsx'
import { AccountantFile } from './accountant-file.tsx'
import { useAccountantFile } from './use-accountant-file.ts'
import './accountant.css'

/** The section that exports the shop's records of a date range as tables for the accountant. */
export function AccountantSection() {
  const today = useShopToday()
  const element = useRef<HTMLDivElement>(null)
  const [days, setDays] = useState<DateRange>(() => presetRanges(today)['Last month'])
  const form = useForm({ element, values: days, onChange: setDays })
  const file = useAccountantFile()
  const isOffline = useOfflineSince() !== undefined
  function download(kind: AccountantFileKind) {
    const checked = checkDateRange(days)
    if (!checked.ok) return form.refuse(checked.refusal)
    form.accept()
    file.making.mutate({ kind, range: checked.value })
  }
  return (
    <SectionBody>
      <p>
        Tables for a spreadsheet or your accountant’s software. They contain names and addresses of
        your customers, so share them securely.
      </p>
      <SettingsCard title="Days">
        <div ref={element}>
          <UsualDays form={form} days={days} today={today} />
          <div className="settings-columns">
            <Input {...form.field('from')} type="date" label="From" />
            <Input {...form.field('to')} type="date" label="To" hint="This day is included." />
          </div>
        </div>
      </SettingsCard>
      <SettingsCard title="Files">
        <ul className="record-files">
          {accountantFileKinds.map((kind) => (
            <AccountantFile
              key={kind}
              {...{ kind, file, isOffline }}
              {...texts[kind]}
              onDownload={() => download(kind)}
            />
          ))}
        </ul>
      </SettingsCard>
      {file.confirmation && (
        <StepUpDialog action="download records of your customers" {...file.confirmation} />
      )}
    </SectionBody>
  )
}

const texts = {
  appointments: {
    title: 'Appointments',
    contents:
      'Every appointment in this period, including cancelled ones and no-shows: service, status, customer, vehicle, bay, and when and how it was booked.',
  },
  invoices: {
    title: 'Invoices',
    contents:
      'Every invoice created in this period, including void ones: number, customer, estimate, parts, labor and fees where known, tax, total, amounts credited and paid, balance, and status.',
  },
  payments: {
    title: 'Payments',
    contents:
      'Every payment in this period, online and at the counter: invoice, customer, method, reference, amount, cash rounding, and who recorded it.',
  },
  refunds: {
    title: 'Refunds',
    contents:
      'Every refund, reversal and customer credit in this period, with the payment that it belongs to.',
  },
  deposits: {
    title: 'Deposits',
    contents:
      'Every change of the deposits you hold in this period: taken, refunded, applied to an invoice. Until it is applied, a deposit belongs to the customer.',
  },
  'write-offs': {
    title: 'Write-offs',
    contents:
      'Every invoice written off in this period: customer, balance when written off, balance now, reason, and who wrote it off.',
  },
  'day-closes': {
    title: 'Day closes',
    contents:
      'Every day closed in this period: amounts expected and counted, differences with their reasons, cash rounding, and cash taken to the bank.',
  },
  customers: {
    title: 'Customers',
    contents:
      'Every customer with an appointment, quote, invoice or email in this period: contact details, first contact, appointments, no-shows, amount invoiced and amount paid.',
  },
} as const satisfies Record<AccountantFileKind, { title: string; contents: string }>

type UsualDaysProps = { form: Form<DateRange>; days: DateRange; today: string }

function UsualDays({ form, days, today }: UsualDaysProps) {
  return (
    <div className="button-group usual-days" role="group" aria-label="Common periods">
      {Object.entries(presetRanges(today)).map(([name, range]) => {
        const isChosen = range.from === days.from && range.to === days.to
        return (
          <Button
            key={name}
            compact
            level={isChosen ? 'strong' : 'secondary'}
            aria-pressed={isChosen}
            onClick={() => form.change(range)}
          >
            {name}
          </Button>
        )
      })}
    </div>
  )
}
