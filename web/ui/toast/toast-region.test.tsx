import { flushSync } from 'react-dom'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { render } from 'vitest-browser-react'
import { page, userEvent } from 'vitest/browser'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { ToastRegion } from './toast-region.tsx'
import { dismissToast, toast } from './toast.ts'
import './toast-region.css'

beforeEach(async () => {
  await userEvent.unhover(document.body)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  flushSync(() => dismissToast())
})

const showToast = (message: Parameters<typeof toast>[0]) => flushSync(() => toast(message))
const pass = (ms: number) => flushSync(() => void vi.advanceTimersByTime(ms))
const saved = { title: 'Saved' }
const card = () => page.getByText('Saved')

describe('a notification', () => {
  test('is announced politely to screen readers, and as an alert if it reports a failure', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    await expect.element(page.getByRole('status')).toHaveTextContent('Saved')
    showToast({ title: 'Error', description: 'Not saved.', variant: 'destructive' })
    await expect.element(page.getByRole('alert')).toHaveTextContent('ErrorNot saved.')
    await expect.element(page.getByRole('status')).toBeEmptyDOMElement()
  })

  test('disappears after five seconds', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    pass(4_999)
    await expect.element(card()).toBeVisible()
    pass(1)
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('with an action stays for ten seconds, and disappears when the action is used', async () => {
    const undo = vi.fn<() => void>()
    await render(<ToastRegion />)
    showToast({ title: 'Saved', action: { label: 'Undo', run: undo } })
    pass(9_999)
    await expect.element(card()).toBeVisible()
    flushSync(() => (page.getByRole('button', { name: 'Undo' }).element() as HTMLElement).click())
    expect(undo).toHaveBeenCalledOnce()
    await expect.element(card()).not.toBeInTheDocument()
    showToast({ title: 'Saved', action: { label: 'Undo', run: undo } })
    pass(10_000)
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('stays while it has the focus, and afterwards for the remainder of its time', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    pass(3_000)
    await userEvent.keyboard('{F8}')
    await expect.element(page.getByRole('region', { name: 'Notifications (F8)' })).toHaveFocus()
    pass(60_000)
    await expect.element(card()).toBeVisible()
    ;(document.activeElement as HTMLElement).blur()
    pass(1_999)
    await expect.element(card()).toBeVisible()
    pass(1)
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('is replaced by the next one, which is shown for its full time', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    pass(4_000)
    showToast({ title: 'Sent' })
    await expect.element(card()).not.toBeInTheDocument()
    pass(4_000)
    await expect.element(page.getByText('Sent')).toBeVisible()
  })

  test('disappears with its Dismiss button, and with Escape', async () => {
    await render(<ToastRegion />)
    showToast(saved)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(card()).not.toBeInTheDocument()
    showToast(saved)
    page.getByRole('button', { name: 'Dismiss' }).element().focus()
    await userEvent.keyboard('{Escape}')
    await expect.element(card()).not.toBeInTheDocument()
  })

  test('moves up when a button appears below it, and down when the button is removed', async () => {
    const lower = (button: string) => (
      <>
        <ToastRegion />
        <div style={{ position: 'fixed', inset: 'auto 0 0', textAlign: 'right' }}>
          {button && <Button>{button}</Button>}
        </div>
      </>
    )
    const { rerender } = await render(lower(''))
    showToast(saved)
    const bottom = () => card().element().closest('.toast')?.getBoundingClientRect().bottom ?? 0
    const home = bottom()
    await rerender(lower('Send'))
    const send = page.getByRole('button', { name: 'Send' })
    await vi.waitFor(() =>
      expect(bottom()).toBeLessThan(send.element().getBoundingClientRect().top),
    )
    // A notification does not move while it is under the pointer or has the focus.
    await userEvent.keyboard('{F8}')
    await rerender(lower(''))
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    expect(bottom()).toBeLessThan(home)
    ;(document.activeElement as HTMLElement).blur()
    await vi.waitFor(() => expect(bottom()).toBe(home))
  })

  test('is shown only inside the dialog that covers the page', async () => {
    await render(
      <>
        <ToastRegion />
        <Dialog open onClose={() => undefined} title="Create a task">
          <input aria-label="Title" />
        </Dialog>
      </>,
    )
    showToast(saved)
    await expect.element(page.getByRole('dialog').getByText('Saved')).toBeVisible()
    expect(card().elements()).toHaveLength(1)
  })
})
