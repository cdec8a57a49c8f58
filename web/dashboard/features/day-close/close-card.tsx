import type { CSSProperties } from 'react'
import type { CloseReason } from '#contracts/payments/day-close.ts'
import { formatCents } from '#domain/money/format-cents.ts'
import { useOfflineSince } from '#web/lib/browser/use-offline-since.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input, Select } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { CloseNotices } from './close-notices.tsx'
import { dayName, reasonTexts } from './close-texts.ts'
import { type CloseForm, focusNextOnEnter } from './use-close-form.ts'

/**
 * The card beside the cash count. The card shows the difference between counted and expected cash with its reason, the
 * cash that remains in the drawer, and the cash for the bank. Its button closes the day.
 */
export function CloseCard({ form, onShowClose }: { form: CloseForm; onShowClose: () => void }) {
  const { figures, isRevealed } = form
  return (
    <aside className="card day-close-result">
      <div className="day-close-sums">
        <div>
          <p>Counted cash</p>
          <b className="day-close-figure">{formatCents(figures.countedCents)}</b>
        </div>
        {isRevealed && (
          <div>
            <p>Expected</p>
            <b className="day-close-figure">{formatCents(figures.expectedCents)}</b>
          </div>
        )}
      </div>
      <Scale form={form} />
      <CloseNotices form={form} onShowClose={onShowClose} />
      {figures.isCounted && isRevealed && <Result form={form} />}
      {form.day.close === null && <Next form={form} />}
    </aside>
  )
}

/** Shows the counted cash as a bar that begins at zero, with a mark at the expected cash. */
function Scale({ form: { figures, isRevealed } }: { form: CloseForm }) {
  const { isCounted, countedCents, expectedCents } = figures
  const longest = Math.max(countedCents, isRevealed ? expectedCents : 0, 1) * 1.05
  const part = (cents: number) =>
    ({ '--part': `${Math.max(0, (cents / longest) * 100)}%` }) as CSSProperties
  return (
    <div className="day-close-scale" aria-hidden="true">
      {isCounted && <i style={part(countedCents)} />}
      {isCounted && isRevealed && countedCents !== expectedCents && (
        <u style={part(expectedCents)} />
      )}
    </div>
  )
}

function Result({ form }: { form: CloseForm }) {
  const { figures, draft, errors, change } = form
  const { differenceCents } = figures
  return (
    <>
      {differenceCents === 0 ? (
        <Notice tone="good" title="The drawer matches to the cent." />
      ) : (
        <div className="day-close-gap" role="status">
          <span>{differenceCents < 0 ? 'Short' : 'Over'}</span>
          <b className="day-close-figure">{formatCents(Math.abs(differenceCents))}</b>
        </div>
      )}
      {figures.differs && (
        <>
          <Select
            label="Reason"
            required
            name="reason"
            value={draft.reason}
            error={errors.reason}
            onChange={({ target }) => change({ reason: target.value as CloseReason | '' })}
          >
            <option value="">Choose a reason</option>
            {Object.entries(reasonTexts).map(([reason, text]) => (
              <option key={reason} value={reason}>
                {text}
              </option>
            ))}
          </Select>
          <Input
            label={
              <>
                Note <span className="day-close-optional">(optional)</span>
              </>
            }
            name="note"
            maxLength={300}
            autoComplete="off"
            value={draft.note}
            error={errors.note}
            onKeyDown={focusNextOnEnter}
            onChange={({ target }) => change({ note: target.value })}
          />
        </>
      )}
      <Remains form={form} />
    </>
  )
}

function Remains({ form: { figures, draft, errors, change } }: { form: CloseForm }) {
  return (
    <>
      <Input
        className="day-close-remains"
        label="Stays in the drawer as the next start"
        name="remains"
        inputMode="decimal"
        autoComplete="off"
        placeholder={(figures.remainsCents / 100).toFixed(2)}
        value={draft.remains}
        error={errors.remains}
        onKeyDown={focusNextOnEnter}
        onChange={({ target }) => change({ remains: target.value })}
      />
      <p className="day-close-row">
        <span>Take out for the bank</span> <b>{formatCents(Math.max(0, figures.bankCents))}</b>
      </p>
    </>
  )
}

/**
 * The button for the next step: 'Show the expected cash' if staff counted the cash while the expected cash was hidden,
 * otherwise the button that closes the day.
 */
function Next({ form }: { form: CloseForm }) {
  const { day, figures, isRevealed } = form
  const isOffline = useOfflineSince() !== undefined
  if (figures.isCounted && !isRevealed) {
    return (
      <Button level="primary" compact large wide className="close-day" onClick={form.reveal}>
        Show the expected cash
      </Button>
    )
  }
  return (
    <>
      {!figures.isCounted && (
        <p className="hint">
          {isRevealed
            ? 'Count the drawer first. The expected cash can be hidden for a blind count in Settings, Payments.'
            : 'Count the drawer first. The expected cash is shown afterwards.'}
        </p>
      )}
      <Button
        level="primary"
        compact
        large
        wide
        className="close-day"
        busy={form.closing.isPending && 'Closing…'}
        disabled={!figures.isCounted || isOffline}
        onClick={form.submit}
      >
        Close {dayName(day.day)}
      </Button>
      <p className="hint">
        {isOffline
          ? 'No connection. Your count is kept; close the day when the connection is back.'
          : 'Closing is final. Later corrections need a reason.'}
      </p>
    </>
  )
}
