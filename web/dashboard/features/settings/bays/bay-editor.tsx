import { useId, useLayoutEffect, useRef } from 'react'
import type { Form } from '#web/lib/forms/use-form.ts'
import { Button } from '#web/ui/button/button.tsx'
import { FieldError, Input } from '#web/ui/field/field.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { SettingsConflictNotice } from '../kit/conflicts/settings-conflict-notice.tsx'
import type { BayForm } from './bay-form.ts'
import type { SavedBay, ServiceName } from './bays-api.ts'
import { useBayForm } from './use-bay-form.ts'
import { useMoveQuestion } from './use-move-question.tsx'

type EditorProps = {
  /** The bay to edit; undefined adds a new bay. */
  bay: SavedBay | undefined
  /**
   * The version of the list of bays that the page read. The server refuses a save if the list now has another version.
   */
  version: number
  services: readonly ServiceName[]
  onEnd: () => void
}

/** The form of one bay: name, technician, whether it is active, and its services. */
export function BayEditor({ bay, version, services, onEnd }: EditorProps) {
  const errorId = useId()
  const element = useFocusWithin()
  const notice = useRef<HTMLDivElement>(null)
  const { confirm, question } = useMoveQuestion()
  const { form, values, conflict, isSaving, save } = useBayForm(bay, {
    version,
    element,
    notice,
    confirm,
    onEnd,
  })
  return (
    <form
      ref={element}
      className="bay-editor"
      noValidate
      aria-label={bay ? `Change ${bay.name}` : 'Add a bay'}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div ref={notice} tabIndex={-1}>
        <SettingsConflictNotice section="bays" conflict={conflict} />
      </div>
      <Input {...form.field('name')} label="Name" autoComplete="off" placeholder="Alignment rack" />
      <Input
        {...form.field('technician')}
        label="Technician (optional)"
        autoComplete="off"
        hint="Shown at the top of the bay in the day view. Customers do not see it."
      />
      <Switch
        name="isActive"
        checked={values.isActive}
        aria-describedby={errorId}
        onChange={({ target }) => form.change({ isActive: target.checked })}
      >
        Accepts appointments
      </Switch>
      {form.errors.isActive && <FieldError id={errorId}>{form.errors.isActive}</FieldError>}
      <ServiceChoice values={values} services={services} onChange={form.change} />
      {form.errors.serviceIds && <FieldError>{form.errors.serviceIds}</FieldError>}
      <div className="bay-foot">
        <Button compact level="quiet" onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" compact level="strong" busy={isSaving && 'Saving…'}>
          {bay ? 'Save' : 'Add bay'}
        </Button>
      </div>
      {question}
    </form>
  )
}

/** Focuses the first field. When the form closes, the focus returns to the button that opened the form. */
function useFocusWithin() {
  const element = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const form = element.current
    const opener = document.activeElement
    form?.querySelector('input')?.focus()
    return () => {
      if (form?.contains(document.activeElement) && opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return element
}

function ServiceChoice(props: {
  values: BayForm
  services: readonly ServiceName[]
  onChange: Form<BayForm>['change']
}) {
  const { values, services, onChange } = props
  const { isLimited, serviceIds } = values
  const toggle = (id: string) =>
    onChange({
      serviceIds: serviceIds.includes(id)
        ? serviceIds.filter((one) => one !== id)
        : [...serviceIds, id],
    })
  return (
    <fieldset className="bay-services">
      <legend className="field-label">Services</legend>
      {[
        { limits: false, label: 'All services' },
        { limits: true, label: 'Only these' },
      ].map(({ limits, label }) => (
        <label key={label} className="checkbox">
          <input
            type="radio"
            name="services"
            checked={isLimited === limits}
            onChange={() => onChange({ isLimited: limits })}
          />
          {label}
        </label>
      ))}
      {isLimited && (
        <div className="bay-service-list">
          {services.map(({ id, name }) => (
            <label key={id} className="checkbox">
              <input
                type="checkbox"
                checked={serviceIds.includes(id)}
                onChange={() => toggle(id)}
              />
              {name}
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
