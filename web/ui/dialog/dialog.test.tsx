import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { ConfirmDialog, Dialog, SidePanel } from './dialog.tsx'

type State = { open: boolean; busy: boolean; close: () => void }

/** Renders a page with a button that opens `overlay`, and a button that counts its clicks. */
async function openPage(overlay: (state: State) => React.ReactNode, busy = false) {
  const onClick = vi.fn<() => void>()
  function Page() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Open
        </button>
        <button type="button" onClick={onClick}>
          Behind
        </button>
        {overlay({ open, busy, close: () => setOpen(false) })}
      </>
    )
  }
  await render(<Page />)
  await button('Open').click()
  return onClick
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')

const form = ({ open, busy, close }: State) => (
  <Dialog open={open} busy={busy} onClose={close} title="Create a task">
    <input aria-label="Title" />
  </Dialog>
)

beforeEach(() => page.viewport(1280, 900))

describe('a dialog', () => {
  test('has its title as its accessible name, focuses its first field and makes the page behind it inert', async () => {
    await openPage(form)
    await expect.element(page.getByRole('dialog', { name: 'Create a task' })).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveFocus()
    expect(page.getByRole('button', { name: 'Behind' }).elements()).toHaveLength(1)
    button('Behind').element().focus()
    await expect.element(button('Behind')).not.toHaveFocus()
  })

  test.each(['Escape', 'the close button'])(
    'closes with %s and returns the focus to the button that opened it',
    async (way) => {
      await openPage(form)
      if (way === 'Escape') await userEvent.keyboard('{Escape}')
      else await button('Close').click()
      await expect.element(dialog()).not.toBeInTheDocument()
      await expect.element(button('Open')).toHaveFocus()
    },
  )

  test('stays open while a request is running, even if Escape is pressed repeatedly', async () => {
    await openPage(form, true)
    await userEvent.keyboard('{Escape}{Escape}{Escape}')
    await expect.element(dialog()).toBeVisible()
    await expect.element(button('Close')).toBeDisabled()
  })

  test('stays open with its input when its component ignores the request to close', async () => {
    const onAsk = vi.fn<() => void>()
    await openPage(({ open }) => (
      <Dialog open={open} onClose={onAsk} title="Reply">
        <input aria-label="Words" />
      </Dialog>
    ))
    await page.getByRole('textbox', { name: 'Words' }).fill('About $280')
    await userEvent.keyboard('{Escape}{Escape}')
    expect(onAsk).toHaveBeenCalledTimes(2)
    await expect.element(page.getByRole('textbox', { name: 'Words' })).toHaveValue('About $280')
  })

  test('calls onClose when the browser closed the dialog, even if a render reopened the dialog before the close event', async () => {
    function Page() {
      const [isOpen, setIsOpen] = useState(true)
      const [count, setCount] = useState(0)
      return (
        <>
          <button type="button" onClick={() => setCount(count + 1)}>
            News
          </button>
          <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="A visit">
            {count}
          </Dialog>
        </>
      )
    }
    await render(<Page />)
    const element = dialog().element()
    if (element instanceof HTMLDialogElement) element.close()
    document.querySelector('button')?.click()
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  test.each(['cancel', 'close'])(
    'stays open when the browser closes a dialog inside it (%s event)',
    async (event) => {
      function Page() {
        const [isConfirming, setIsConfirming] = useState(true)
        const [isOpen, setIsOpen] = useState(true)
        return (
          <Dialog open={isOpen} onClose={() => setIsOpen(false)} title="A visit">
            <Dialog open={isConfirming} onClose={() => setIsConfirming(false)} title="Sure?">
              Really?
            </Dialog>
          </Dialog>
        )
      }
      await render(<Page />)
      const question = page.getByRole('dialog', { name: 'Sure?' })
      question.element().dispatchEvent(new Event(event, { cancelable: true }))
      await expect.element(question).not.toBeInTheDocument()
      await expect.element(page.getByRole('dialog', { name: 'A visit' })).toBeVisible()
    },
  )

  test('has no close button and ignores Escape when it has no onClose', async () => {
    await openPage(({ open }) => (
      <Dialog open={open} title="Sign in again">
        <input aria-label="Password" />
      </Dialog>
    ))
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog()).toBeVisible()
    expect(button('Close').elements()).toEqual([])
  })
})

describe('a confirmation dialog', () => {
  test('focuses Cancel, so that Enter destroys nothing', async () => {
    const [onConfirm, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()]
    await openPage(({ open, close }) => (
      <ConfirmDialog
        open={open}
        title="Delete this request?"
        confirmLabel="Delete"
        onConfirm={onConfirm}
        onClose={() => {
          onClose()
          close()
        }}
      >
        It cannot be brought back.
      </ConfirmDialog>
    ))
    await expect.element(button('Cancel')).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect([onClose.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 0])
  })

  test('shows its busy label and disables both buttons while a request is running', async () => {
    const onConfirm = vi.fn<() => void>()
    await openPage(
      ({ open, busy, close }) => (
        <ConfirmDialog
          {...{ open, busy, onConfirm, onClose: close }}
          title="Delete this request?"
          confirmLabel="Delete"
          busyLabel="Deleting…"
        >
          It cannot be brought back.
        </ConfirmDialog>
      ),
      true,
    )
    await expect.element(button('Deleting…')).toBeDisabled()
    await expect.element(button('Cancel')).toBeDisabled()
  })
})

describe('a side panel', () => {
  const panel = ({ open, close }: State) => (
    <SidePanel open={open} onClose={close} title="Notes">
      <input aria-label="Note" />
    </SidePanel>
  )

  test('leaves the page beside it usable on a wide screen', async () => {
    const onClick = await openPage(panel)
    await button('Behind').click()
    expect(onClick).toHaveBeenCalledOnce()
    await expect.element(dialog()).toBeVisible()
  })

  test('is a modal sheet on a narrow screen and non-modal on a wide screen, also after the window was resized', async () => {
    await page.viewport(390, 844)
    await openPage(panel)
    expect(dialog().element().matches(':modal')).toBe(true)
    await page.viewport(1280, 900)
    await expect.poll(() => dialog().element().matches(':modal')).toBe(false)
  })

  test('keeps its input and the focus when the window becomes narrow or wide', async () => {
    await openPage(panel)
    const note = page.getByRole('textbox', { name: 'Note' })
    await note.fill('Waits in the cafe')
    for (const [width, isModal] of [
      [390, true],
      [1280, false],
    ] as const) {
      await page.viewport(width, 900)
      await expect.poll(() => dialog().element().matches(':modal')).toBe(isModal)
      await expect.element(note).toHaveValue('Waits in the cafe')
      await expect.element(note).toHaveFocus()
    }
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog()).not.toBeInTheDocument()
    await expect.element(button('Open')).toHaveFocus()
  })

  test('stays behind its confirmation dialog when the window becomes narrow or wide', async () => {
    await openPage((state) => (
      <>
        {panel(state)}
        <Dialog open={state.open} onClose={state.close} title="Sure?">
          Really?
        </Dialog>
      </>
    ))
    await page.viewport(390, 900)
    const question = page.getByRole('dialog', { name: 'Sure?' })
    await question.getByRole('button', { name: 'Close' }).click()
    await expect.element(question).not.toBeInTheDocument()
  })
})
