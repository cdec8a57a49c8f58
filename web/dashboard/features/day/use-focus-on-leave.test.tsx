import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { page } from 'vitest/browser'
import { useFocusOnLeave } from './use-focus-on-leave.ts'

type Shown = { chosenId?: string; date: string; ids?: string[] }

const allIds = ['maria', 'sam']

/** A fake day view with a button for each booking. A new `date` replaces all buttons with new elements. */
function Day({ chosenId, date, ids = allIds }: Shown) {
  useFocusOnLeave(chosenId)
  return (
    <>
      <button type="button">Today</button>
      <section key={date} aria-label={date}>
        {ids.map((id) => (
          <button key={id} type="button" data-stop={id}>
            {id}
          </button>
        ))}
      </section>
    </>
  )
}

const bookingButton = (id: string) => page.getByRole('button', { name: id })
const today = () => page.getByRole('button', { name: 'Today' })

test('closing the booking panel returns the focus to the booking', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await expect.element(bookingButton('maria')).toHaveFocus()
})

test('after the panel closed, a booking that moved to another date receives the focus once it appears there', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await rerender(<Day date="Friday" ids={[]} />)
  await rerender(<Day date="Friday" />)
  await expect.element(bookingButton('maria')).toHaveFocus()
})

test('a booking that appears again receives the focus even if another element received it without user input', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  today().element().focus()
  await rerender(<Day date="Friday" ids={[]} />)
  await rerender(<Day date="Friday" />)
  await expect.element(bookingButton('maria')).toHaveFocus()
})

test('the focus stays on a button that the user clicked before the booking appeared again', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Friday" ids={[]} />)
  await today().click()
  await rerender(<Day date="Friday" />)
  await expect.element(today()).toHaveFocus()
})

test('the focus stays on another booking that the user clicked while the first booking was removed', async () => {
  const { rerender } = await render(<Day chosenId="maria" date="Tuesday" />)
  await rerender(<Day date="Tuesday" />)
  await bookingButton('sam').click()
  await rerender(<Day date="Tuesday" ids={['sam']} />)
  await rerender(<Day date="Tuesday" ids={['sam', 'maria']} />)
  await expect.element(bookingButton('sam')).toHaveFocus()
})
