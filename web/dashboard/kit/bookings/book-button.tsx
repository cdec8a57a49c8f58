import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import './book-button.css'

/**
 * The button that opens the phone booking panel. The button is orange, the color of the recommended next step, while
 * the panel is closed. While the panel is open, only the panel's Save button is orange.
 */
export function BookButton({ isBooking, onBook }: { isBooking: boolean; onBook: () => void }) {
  return (
    <Button
      compact
      level={isBooking ? 'secondary' : 'primary'}
      className="book-button"
      aria-keyshortcuts="n"
      onClick={onBook}
    >
      <Icon name="plus" />
      Book
      <kbd aria-hidden="true">N</kbd>
    </Button>
  )
}
