type Handlers = {
  readonly onDragStart: () => void
  readonly onMove: (x: number, y: number) => void
  /** Dropped, or put back: by Esc, or because the browser took the pointer for something else. */
  readonly onEnd: (isDropped: boolean) => void
}

/** A mouse that moved less only clicked. */
const clickPx = 5
/** A finger that rests this long lifts; one that moves before it scrolls. */
const pressMs = 350
const restPx = 10

/**
 * Follows a pointer that went down on a car: lifts it once that is what it means, until it is dropped or put back. The
 * returned function puts it back.
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
  const isIts = ({ pointerId }: PointerEvent) => pointerId === down.pointerId
  on('pointermove', (event) => isIts(event) && move(event))
  on('pointerup', (event) => isIts(event) && end(true))
  on('pointercancel', (event) => isIts(event) && end(false))
  // A long press would open the menu of the browser.
  on('contextmenu', (event) => !isMouse && event.preventDefault())
  on('keydown', (event) => {
    if (!isDragging || event.ctrlKey || event.metaKey || event.altKey) return
    // No other key leads to another day, or opens anything, while a car is in the air.
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Escape') end(false)
  })
  return () => end(false)
}

/** What ends a drag is no click on what lies under it. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), 0)
}
