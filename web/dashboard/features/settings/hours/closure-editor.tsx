import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { ScheduleConflict } from '#contracts/bookings/schedule-conflicts.ts'
import { useForm } from '#web/lib/forms/use-form.ts'
import { useShopToday } from '#web/lib/time/use-shop-today.ts'
import { Button } from '#web/ui/button/button.tsx'
import { Input, Select } from '#web/ui/field/field.tsx'
import type { SavedBay } from '../bays/bays-api.ts'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import { ConflictPreview } from './conflict-preview.tsx'
import {
  type ClosureForm,
  closureForm,
  type ClosureRow,
  emptyClosureForm,
  readClosure,
} from './special-hours.ts'
import { ClosureDays, ClosureTicks, KindButtons } from './closure-fields.tsx'
import type { ClosureChange } from './special-hours-api.ts'

type EditorProps = {
  /** The closure to change; undefined to add a new one. */
  edited: ClosureRow | undefined
  /** The version of the list of closures that the user is looking at. */
  version: number | undefined
  bays: readonly SavedBay[]
  scheduleConflicts: readonly ScheduleConflict[]
  isBusy: boolean
  onMake: (request: { change: ClosureChange; title: string }) => Promise<boolean>
  onEnd: () => void
}

/** Adds or changes a closure or a special opening. The form preserves typed values until they are saved. */
export function ClosureEditor({
  edited,
  version,
  bays,
  scheduleConflicts,
  isBusy,
  ...on
}: EditorProps) {
  const today = useShopToday()
  const element = useRef<HTMLFormElement>(null)
  const [begun] = useState(() => (edited ? closureForm(edited) : emptyClosureForm))
  const [values, setValues] = useState(begun)
  const form = useForm({ element, values, onChange: setValues, limits: { reason: 100 } })
  const isChanged = JSON.stringify(values) !== JSON.stringify(begun)
  const text = wordsOf(values, edited)
  useUnsavedChanges(isChanged ? [edited ? 'Changed closure' : 'New closure'] : [])

  // The form is further down the page than the pressed button 'Change', so the form's first field gets the focus.
  useEffect(() => {
    if (edited) element.current?.querySelector<HTMLElement>('[name="firstDay"]')?.focus()
  }, [edited])

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (isBusy) return
    const read = readClosure(values, today)
    if (!read.ok) {
      const { field, message } = read.refusal
      return form.refuse({ title: 'Could not save', message, fields: [field] })
    }
    const change = { kind: 'save', id: edited?.id ?? null, row: read.value } as const
    if (!(await on.onMake({ change, title: text.done }))) return
    setValues(emptyClosureForm)
    on.onEnd()
  }
  return (
    <form
      ref={element}
      className="closure-editor"
      noValidate
      aria-labelledby="closure-editor-title"
      onSubmit={(event) => void submit(event)}
    >
      <h4 id="closure-editor-title">{text.title}</h4>
      <KindButtons form={form} values={values} />
      <div className="closure-fields">
        <ClosureDays form={form} values={values} today={today} />
        <Select {...form.choice('bayId')} label={values.isOpen ? 'What is open' : 'What is closed'}>
          <option value="">Whole shop</option>
          {bays.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Input {...form.field('reason')} label="Reason" autoComplete="off" />
      </div>
      <div className="closure-foot">
        <ClosureTicks form={form} values={values} />
        <ConflictPreview {...{ values, edited, version, scheduleConflicts, today }} />
        {edited && (
          <Button compact level="quiet" onClick={on.onEnd}>
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          compact
          level="strong"
          busy={isBusy && isChanged && 'Saving…'}
          disabled={isBusy}
        >
          {text.submitLabel}
        </Button>
      </div>
    </form>
  )
}

function wordsOf({ isOpen }: ClosureForm, edited: ClosureRow | undefined) {
  if (edited) return { title: 'Change this closure', submitLabel: 'Save', done: 'Closure changed' }
  return isOpen
    ? { title: 'Add a special opening', submitLabel: 'Add opening', done: 'Special opening added' }
    : { title: 'Add a closure', submitLabel: 'Add closure', done: 'Closure added' }
}
