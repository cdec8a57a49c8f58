import { type SubmitEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '#web/ui/button/button.tsx'
import { FieldError, Input } from '#web/ui/field/field.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import { useUnsavedChanges } from '#web/dashboard/kit/navigation/unsaved-changes.ts'
import type { Bay, ServiceName } from './bays-api.ts'

/** The reason why a bay was not saved, and the field that shows it. */
export type BayRefusal = {
  readonly field: 'name' | 'technician' | 'isActive'
  readonly message: string
}

type EditorProps = {
  begun: Bay
  services: readonly ServiceName[]
  isBusy: boolean
  refusal: BayRefusal | undefined
  onSave: (bay: Bay) => void
  onEnd: () => void
}

/**
 * The form of one bay: name, technician, whether it is active, and its services. The form keeps typed values until they
 * are saved.
 */
export function BayEditor({ begun, services, isBusy, refusal, onSave, onEnd }: EditorProps) {
  const [bay, setBay] = useState(begun)
  const [isTried, setTried] = useState(false)
  const errorId = useId()
  const element = useFocusWithin()
  const [isLimited, setLimited] = useState(begun.serviceIds.length > 0)
  const wanted = {
    ...bay,
    name: bay.name.trim(),
    technician: bay.technician.trim(),
    serviceIds: isLimited ? bay.serviceIds : [],
  }
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(begun)
  useUnsavedChanges(isChanged ? [begun.name || 'New bay'] : [])
  const isNameMissing = isTried && wanted.name === ''
  const isChoiceMissing = isTried && isLimited && bay.serviceIds.length === 0

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    setTried(true)
    if (isBusy || wanted.name === '' || (isLimited && bay.serviceIds.length === 0)) return
    onSave(wanted)
  }
  return (
    <form
      ref={element}
      className="bay-editor"
      noValidate
      aria-label={begun.name ? `Change ${begun.name}` : 'Add a bay'}
      onSubmit={submit}
    >
      <Input
        label="Name"
        name="name"
        autoComplete="off"
        maxLength={40}
        placeholder="Alignment rack"
        value={bay.name}
        error={isNameMissing ? 'Please enter a name.' : messageOf(refusal, 'name')}
        onChange={({ target }) => setBay({ ...bay, name: target.value })}
      />
      <Input
        label="Technician (optional)"
        name="technician"
        autoComplete="off"
        maxLength={40}
        hint="Shown at the top of the bay in the day view. Customers do not see it."
        value={bay.technician}
        error={messageOf(refusal, 'technician')}
        onChange={({ target }) => setBay({ ...bay, technician: target.value })}
      />
      <Switch
        checked={bay.isActive}
        aria-describedby={errorId}
        onChange={({ target }) => setBay({ ...bay, isActive: target.checked })}
      >
        Accepts appointments
      </Switch>
      {messageOf(refusal, 'isActive') && (
        <FieldError id={errorId}>{messageOf(refusal, 'isActive')}</FieldError>
      )}
      <ServiceChoice
        {...{ bay, services, isLimited }}
        onLimit={setLimited}
        onChoose={(serviceIds) => setBay({ ...bay, serviceIds })}
      />
      {isChoiceMissing && <FieldError>Please choose at least one service.</FieldError>}
      <div className="bay-foot">
        <Button compact level="quiet" onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" compact level="strong" busy={isBusy && 'Saving…'} disabled={isBusy}>
          {begun.id ? 'Save' : 'Add bay'}
        </Button>
      </div>
    </form>
  )
}

/** Focuses the first field. When the form closes, the focus returns to the button that opened it. */
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

const messageOf = (refusal: BayRefusal | undefined, field: BayRefusal['field']) =>
  refusal?.field === field ? refusal.message : undefined

function ServiceChoice(props: {
  bay: Bay
  services: readonly ServiceName[]
  isLimited: boolean
  onLimit: (isLimited: boolean) => void
  onChoose: (ids: string[]) => void
}) {
  const { bay, services, isLimited, onLimit, onChoose } = props
  const toggle = (id: string) =>
    onChoose(
      bay.serviceIds.includes(id)
        ? bay.serviceIds.filter((one) => one !== id)
        : [...bay.serviceIds, id],
    )
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
            onChange={() => onLimit(limits)}
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
                checked={bay.serviceIds.includes(id)}
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
