import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { shopToday } from '#domain/calendar/shop-time.ts'
import type { Form } from '#web/lib/forms/use-form.ts'
import { FieldError, Input, TextArea } from '#web/ui/field/field.tsx'
import { Switch } from '#web/dashboard/kit/controls/switch.tsx'
import type { BayName } from '#web/dashboard/features/settings/bays/bays-api.ts'
import { Button } from '#web/ui/button/button.tsx'
import { SettingsConflictNotice } from '../kit/conflicts/settings-conflict-notice.tsx'
import type { ServiceForm } from './service-form.ts'
import { ServiceBays } from './service-bays.tsx'
import { countBooked, type Service } from './services-api.ts'
import { useServiceForm } from './use-service-form.ts'

type Props = {
  /** The service to edit; undefined adds a new service. */
  service: Service | undefined
  bays: readonly BayName[]
  /**
   * Called with the changed values, which the preview shows, or with undefined when nothing differs from the saved
   * service.
   */
  onType: (input: Partial<ServiceForm> | undefined) => void
  /** Called when the form closes: with the id of the saved service, or without an id when the user cancelled. */
  onEnd: (saved?: string) => Promise<void>
}

/** The form of one service. In the list of services, the form replaces the row of the service. */
export function ServiceEditor({ service, bays, onType, onEnd }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const notice = useRef<HTMLDivElement>(null)
  const { form, values, conflict, isSaving, save } = useServiceForm(service, {
    element,
    notice,
    onType,
    onSaved: onEnd,
  })
  useFirstFieldFocus(element)
  return (
    <form
      ref={element}
      className="service-editor"
      aria-label={service ? `Change ${service.name}` : 'Add a service'}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div ref={notice} tabIndex={-1} className="full-row">
        <SettingsConflictNotice section="services" conflict={conflict} />
      </div>
      <ServiceFields form={form} values={values} bays={bays} />
      <div className="service-actions full-row">
        <Switch
          name="isActive"
          checked={values.isActive}
          onChange={({ target }) => form.change({ isActive: target.checked })}
        >
          Available online
        </Switch>
        <Button compact disabled={isSaving} onClick={() => void onEnd()}>
          Cancel
        </Button>
        <Button type="submit" compact level="primary" disabled={isSaving}>
          {isSaving ? 'Saving…' : 'Save'}
        </Button>
      </div>
      {form.errors.isActive && <FieldError>{form.errors.isActive}</FieldError>}
      {service && <UpcomingBookings service={service} />}
    </form>
  )
}

type FieldsProps = { form: Form<ServiceForm>; values: ServiceForm; bays: readonly BayName[] }

function ServiceFields({ form, values, bays }: FieldsProps) {
  return (
    <>
      <Input {...form.field('name')} label="Name" className="service-name" autoComplete="off" />
      <Input
        {...form.field('minutes')}
        label="Minutes"
        inputMode="numeric"
        autoComplete="off"
        className="service-minutes"
      />
      <Input
        {...form.field('price')}
        label="Price from, $"
        inputMode="decimal"
        autoComplete="off"
        className="service-price"
      />
      {bays.length > 1 && (
        <ServiceBays
          bays={bays}
          where={values.where}
          error={form.errors.where}
          onChange={(where) => form.change({ where })}
        />
      )}
      <TextArea {...form.field('description')} label="Description" rows={2} className="full-row" />
    </>
  )
}

/** States how many appointments for the service exist, and that a change of the service does not affect them. */
function UpcomingBookings({ service }: { service: Service }) {
  const { data: count = 0 } = useQuery({
    queryKey: ['bookings', 'ahead', service.id],
    queryFn: () => countBooked(service.id, shopToday(new Date())),
  })
  if (count === 0) return null
  const unchangedText =
    count === 1
      ? '1 existing appointment is not changed.'
      : `${count} existing appointments are not changed.`
  return <p className="hint full-row">Changes count for new bookings only. {unchangedText}</p>
}

function useFirstFieldFocus(element: RefObject<HTMLFormElement | null>) {
  useEffect(() => element.current?.querySelector<HTMLElement>('[name="name"]')?.focus(), [element])
}
