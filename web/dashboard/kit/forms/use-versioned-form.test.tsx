import { useRef, useState } from 'react'
import { beforeEach, describe, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { Input } from '#web/ui/field/field.tsx'
import { useVersionedForm, type VersionedFormOptions } from './use-versioned-form.ts'
import { createFormDraftStorage } from './versioned-draft.ts'
import { TheirValues } from './version-conflict-notice.tsx'

type Contact = { name: string; phone: string; email: string }
type Options = Pick<VersionedFormOptions<Contact>, 'othersChanges'> &
  Partial<VersionedFormOptions<Contact>>

const contact: Contact = { name: 'Maria', phone: '0167', email: '' }
let server = { form: contact, version: 1 }
beforeEach(() => {
  server = { form: contact, version: 1 }
  sessionStorage.clear()
})

/**
 * A component that represents one browser window in which the form of the record is open. Its button 'Refetch' passes
 * the current record to the form.
 */
function Window({
  title,
  hasListener = true,
  ...options
}: Options & { title: string; hasListener?: boolean }) {
  const element = useRef<HTMLFormElement>(null)
  const [saved, setSaved] = useState(server)
  const [ended, setEnded] = useState('')
  const { form, save, conflict, isSaving } = useVersionedForm<Contact, typeof server>({
    saved,
    element,
    label: (name) => name,
    check: ({ name }) => (name === '' ? { name: 'Please enter a name.' } : {}),
    read: async () => server,
    async write(values, version) {
      if (version !== server.version) return undefined
      server = { form: values, version: version + 1 }
      return server
    },
    ...(hasListener && { onSave: ({ kind }) => setEnded(kind) }),
    ...options,
  })
  return (
    <section aria-label={title}>
      <form ref={element}>
        <Input {...form.field('name')} label="Name" />
        <Input {...form.field('phone')} label="Phone" />
        <Input {...form.field('email')} label="Email" />
      </form>
      <button onClick={save} disabled={isSaving}>
        Save
      </button>
      <button onClick={() => setSaved(server)}>Refetch</button>
      <output>{ended}</output>
      {conflict.isOpen && <button onClick={conflict.keepMine}>Keep mine</button>}
      {(conflict.isOpen || conflict.count > 0) && <TheirValues overlaps={conflict.overlaps} />}
      <p>Missed: {conflict.count}</p>
    </section>
  )
}

const windowOf = (label: string) => {
  const region = page.getByRole('region', { name: label })
  return {
    type: (name: string, text: string) => region.getByLabelText(name).fill(text),
    field: (name: string) => region.getByLabelText(name),
    press: (name: string) => region.getByRole('button', { name }).click(),
    result: region.getByRole('status'),
    region,
  }
}
const openTwo = async (options: Options) => {
  await render(
    <>
      <Window title="First" {...options} />
      <Window title="Second" {...options} />
    </>,
  )
  return [windowOf('First'), windowOf('Second')] as const
}

describe('two windows with forms that edit one record', () => {
  test('keep both changes of different fields without asking', async () => {
    const [first, second] = await openTwo({ othersChanges: 'merged' })
    await first.type('Phone', '0188')
    await second.type('Email', 'maria@mail.example')
    await first.press('Save')
    await second.press('Save')
    await expect.element(second.result).toHaveTextContent('saved')
    expect(server.form).toEqual({ name: 'Maria', phone: '0188', email: 'maria@mail.example' })
    await expect.element(second.field('Phone')).toHaveValue('0188')
  })

  test('let the second user choose when both change the same field', async () => {
    const [first, second] = await openTwo({ othersChanges: 'merged' })
    await first.type('Phone', '0188')
    await second.type('Phone', '0111')
    await second.type('Email', 'maria@mail.example')
    await first.press('Save')
    await second.press('Save')
    await expect.element(second.result).toHaveTextContent('version_conflict')
    expect(server.form.phone).toBe('0188')
    await second.press('Use theirs for phone')
    await expect.element(second.field('Phone')).toHaveValue('0188')
    await second.press('Save')
    await expect.element(second.result).toHaveTextContent('saved')
    expect(server.form).toEqual({ name: 'Maria', phone: '0188', email: 'maria@mail.example' })
  })

  test('save the typed value when the second user keeps it', async () => {
    const [first, second] = await openTwo({ othersChanges: 'merged' })
    await first.type('Phone', '0188')
    await second.type('Phone', '0111')
    await first.press('Save')
    await second.press('Save')
    await second.press('Keep mine')
    await expect.element(second.result).toHaveTextContent('saved')
    expect(server.form.phone).toBe('0111')
  })

  test('show the change of the first window in the second window before the second window saves', async () => {
    const [first, second] = await openTwo({ othersChanges: 'shown' })
    await first.type('Phone', '0188')
    await second.type('Email', 'maria@mail.example')
    await first.press('Save')
    await second.press('Refetch')
    await expect.element(second.region.getByText('Missed: 1')).toBeVisible()
    await expect.element(second.field('Phone')).toHaveValue('0188')
    await second.press('Save')
    await expect.element(second.result).toHaveTextContent('version_conflict')
    expect(server.form.email).toBe('')
    await second.press('Save')
    await expect.element(second.result).toHaveTextContent('saved')
    expect(server.form).toEqual({ name: 'Maria', phone: '0188', email: 'maria@mail.example' })
    await expect.element(second.region.getByText('Missed: 0')).toBeVisible()
  })
})

describe('a form of a record', () => {
  test('shows the current record while the user has typed nothing', async () => {
    await render(<Window title="First" othersChanges="shown" />)
    server = { form: { ...contact, phone: '0188' }, version: 2 }
    await windowOf('First').press('Refetch')
    await expect.element(windowOf('First').field('Phone')).toHaveValue('0188')
  })

  test('does not send an invalid field, and focuses it', async () => {
    await render(<Window title="First" othersChanges="shown" />)
    const { type, press, field } = windowOf('First')
    await type('Name', '')
    await press('Save')
    await expect.element(field('Name')).toHaveFocus()
    await expect.element(field('Name')).toHaveAccessibleDescription('Please enter a name.')
    expect(server.version).toBe(1)
  })

  test('saves even if its component passes no callback for the result', async () => {
    await render(<Window title="First" othersChanges="shown" hasListener={false} />)
    await windowOf('First').type('Phone', '0188')
    await windowOf('First').press('Save')
    await expect.poll(() => server.form.phone).toBe('0188')
  })

  test('saves automatically after a pause in typing', async () => {
    const autosave = { pauseMs: 1, retryMs: 1 }
    await render(<Window title="First" othersChanges="chosen" autosave={autosave} />)
    await windowOf('First').type('Phone', '0188')
    await expect.poll(() => server.form.phone).toBe('0188')
  })

  test('restores its draft when the user returns to the page', async () => {
    const draftStorage = createFormDraftStorage('contact', contact)
    const open = () => <Window title="First" othersChanges="shown" draftStorage={draftStorage} />
    const { unmount } = await render(open())
    await windowOf('First').type('Phone', '0188')
    await unmount()
    await render(open())
    await expect.element(windowOf('First').field('Phone')).toHaveValue('0188')
    await windowOf('First').press('Save')
    await expect.poll(() => server.form.phone).toBe('0188')
    expect(draftStorage.recall()).toBeUndefined()
  })
})
