import { Icon } from '#web/ui/icon/icon.tsx'
import { Button } from '#web/ui/button/button.tsx'
import './book-button.css'

/**
 * Opens the phone booking panel. The button is orange, the color of the next step, until the user presses it; then only
 * the Save button of the panel is orange.
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
