import { useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { toast } from '#web/ui/toast/toast.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { SectionBody } from '../kit/section-body.tsx'
import { SectionHistory } from '../kit/history/section-history.tsx'
import { ServiceEditor } from './service-editor.tsx'
import type { ServiceForm } from './service-form.ts'
import { ServiceRow } from './service-row.tsx'
import type { ServiceList } from './services-api.ts'
import { ServicesPreview } from './services-preview.tsx'
import { useServices } from './use-services.ts'
import './services.css'

/** The service that the user is editing; the id is null for a new service. */
type Editing = { readonly id: string | null; readonly input?: Partial<ServiceForm> | undefined }

/** The services that customers can book, in the order in which customers see them. */
export function ServicesSection() {
  const { list, services, readAll, move, switching, show } = useServices()
  const [editing, setEditing] = useState<Editing>()
  const giveFocusBack = useFocusAfterEditing(editing !== undefined)
  if (!list.data)
    return (
      <SectionBody>
        {list.isError ? (
          <Failed retry={list.refetch} />
        ) : (
          <Skeleton className="settings-skeleton" />
        )}
      </SectionBody>
    )

  function edit(id: string | null) {
    if (editing?.input) return toast(finishFirst)
    setEditing({ id })
  }
  async function end(saved?: string) {
    if (saved) await readAll()
    setEditing(undefined)
    giveFocusBack(saved ?? editing?.id)
  }
  return (
    <SectionBody
      preview={<ServicesPreview services={services} editing={editing} />}
      history={<SectionHistory sections={['services']} />}
    >
      <div className="services-bar">
        <p className="muted">Customers see the services in this order.</p>
        <Button id="add-service" compact level="strong" onClick={() => edit(null)}>
          <Icon name="plus" />
          Add a service
        </Button>
      </div>
      <div className="card service-table">
        <ServiceHead />
        {editing?.id === null && (
          <Editor list={list.data} editing={editing} onType={setEditing} onEnd={end} />
        )}
        <ol aria-label="Services">
          {services.map((service, index) => (
            <li key={service.id}>
              {editing?.id === service.id ? (
                <Editor list={list.data} editing={editing} onType={setEditing} onEnd={end} />
              ) : (
                <ServiceRow
                  service={service}
                  bays={list.data.bays}
                  isFirst={index === 0}
                  isLast={index === services.length - 1}
                  isSwitching={switching === service.id}
                  onMove={(by) => move(service.id, by)}
                  onShow={() => show(service)}
                  onEdit={() => edit(service.id)}
                />
              )}
            </li>
          ))}
        </ol>
      </div>
    </SectionBody>
  )
}

const finishFirst = {
  title: 'Finish the open form first',
  description: 'Save or cancel the service that you are changing.',
}

type EditorProps = {
  list: ServiceList
  editing: Editing
  onType: (editing: Editing) => void
  onEnd: (saved?: string) => Promise<void>
}

function Editor({ list, editing: { id }, onType, onEnd }: EditorProps) {
  return (
    <ServiceEditor
      service={list.services.find((service) => service.id === id)}
      bays={list.bays}
      onType={(input) => onType({ id, input })}
      onEnd={onEnd}
    />
  )
}

function ServiceHead() {
  return (
    <div className="service-line service-head" aria-hidden="true">
      <span />
      <span>Service</span>
      <span>Time</span>
      <span>Where</span>
      <span>State</span>
    </div>
  )
}

function Failed({ retry }: { retry: () => unknown }) {
  return <LoadFailure title="The services could not be loaded." onRetry={() => void retry()} />
}

/**
 * Restores the focus after a form is closed: to the button of its service, or to 'Add a service' after a cancelled
 * addition.
 * @returns a function that the caller calls with the id of the service, or with null after a cancelled addition.
 */
function useFocusAfterEditing(isEditing: boolean) {
  const closed = useRef<string>(undefined)
  // Runs after every render, because a new service can appear in the list after its form has closed.
  useLayoutEffect(() => {
    const button = !isEditing && closed.current && document.getElementById(closed.current)
    if (!button) return
    closed.current = undefined
    button.focus()
  })
  return (id: string | null | undefined) => {
    closed.current = id ? `edit-${id}` : 'add-service'
  }
}
