type Handlers = {
  readonly onDragStart: () => void
  readonly onMove: (x: number, y: number) => void
  /**
   * Called when the drag ends. `isDropped` is false if the user pressed Escape, or if the caller or the browser
   * (`pointercancel`) cancelled the drag.
   */
  readonly onEnd: (isDropped: boolean) => void
}

/**
 * A press of the mouse is a click if the mouse moves at most this many pixels before the release. A longer movement
 * starts a drag.
 */
const clickPx = 5
/** A finger that rests this many milliseconds starts a drag. A finger that moves earlier scrolls the page. */
const pressMs = 350
const restPx = 10

/**
 * Handles a press of the pointer on a booking. A drag starts when a pressed mouse moves or a pressed finger rests. The
 * drag ends when the user releases the pointer, or when the drag is cancelled. The returned function cancels the drag.
 */
export function pressToDrag(
  down: PointerEvent,
  { onDragStart, onMove, onEnd }: Handlers,
): () => void {
  const isMouse = down.pointerType === 'mouse'
  const stop = new AbortController()
  let isDragging = false
  const startDrag = () => {
    isDragging = true
    onDragStart()
    onMove(down.clientX, down.clientY)
  }
  const timer = isMouse ? undefined : setTimeout(startDrag, pressMs)
  const end = (isDropped: boolean) => {
    clearTimeout(timer)
    if (stop.signal.aborted) return
    stop.abort()
    if (!isDragging) return
    swallowClick()
    onEnd(isDropped)
  }
  const move = ({ clientX, clientY }: PointerEvent) => {
    const distance = Math.hypot(clientX - down.clientX, clientY - down.clientY)
    if (!isDragging && !isMouse && distance > restPx) return end(false)
    if (!isDragging && isMouse && distance > clickPx) startDrag()
    if (isDragging) onMove(clientX, clientY)
  }
  const on = <Name extends keyof WindowEventMap>(
    name: Name,
    listener: (event: WindowEventMap[Name]) => void,
  ) => window.addEventListener(name, listener, { signal: stop.signal, capture: true })
  const isSamePointer = ({ pointerId }: PointerEvent) => pointerId === down.pointerId
  on('pointermove', (event) => isSamePointer(event) && move(event))
  on('pointerup', (event) => {
    if (!isSamePointer(event)) return
    if (isDragging) onMove(event.clientX, event.clientY)
    end(true)
  })
  on('pointercancel', (event) => isSamePointer(event) && end(false))
  // A long press would open the context menu of the browser.
  on('contextmenu', (event) => !isMouse && event.preventDefault())
  on('keydown', (event) => {
    if (!isDragging || event.ctrlKey || event.metaKey || event.altKey) return
    // Stops the key event during a drag, so that no shortcut changes the date or opens a panel.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') end(false)
  })
  return () => end(false)
}

/** Prevents the click on the element under the pointer that would follow the release of the pointer. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0)
}
