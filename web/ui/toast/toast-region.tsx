import { useEffect, useRef, useState, useSyncExternalStore, type PointerEvent } from 'react'
import { Icon } from '#web/ui/icon/icon.tsx'
import { dismissToast, toastStore, type ShownToast } from './toast.ts'
import { useClearOfActions } from './use-clear-of-actions.ts'

/** The time, in milliseconds, for which a notification is shown (docs/product.md 9.8). */
const displayMs = 5_000
const displayWithActionMs = 10_000
const swipeThresholdPx = 50

/*
 * A modal dialog covers everything outside of it and makes it inert. Each open modal therefore has its own region, and
 * only the region that was mounted last shows the notification.
 */
const regions: symbol[] = []
const regionListeners = new Set<() => void>()
const regionsChanged = () => regionListeners.forEach((listener) => listener())

function useIsTopRegion(): boolean {
  const [me] = useState(() => Symbol('toast region'))
  useEffect(() => {
    regions.push(me)
    regionsChanged()
    return () => {
      regions.splice(regions.indexOf(me), 1)
      regionsChanged()
    }
  }, [me])
  return useSyncExternalStore(
    (listener) => {
      regionListeners.add(listener)
      return () => void regionListeners.delete(listener)
    },
    () => regions.at(-1) === me,
    () => false,
  )
}

/** The notification area. The layouts and the modal dialogs each have one; F8 moves the focus here. */
export function ToastRegion() {
  const region = useRef<HTMLElement>(null)
  const current = useSyncExternalStore(toastStore.subscribe, toastStore.current, () => null)
  const isTop = useIsTopRegion()
  const shown = isTop ? current : null
  const isBad = shown?.variant === 'destructive'
  useClearOfActions(region, shown !== null)

  useEffect(() => {
    if (!isTop) return
    const focusOnF8 = (event: KeyboardEvent) => {
      if (event.key !== 'F8') return
      event.preventDefault()
      region.current?.focus()
    }
    document.addEventListener('keydown', focusOnF8)
    return () => document.removeEventListener('keydown', focusOnF8)
  }, [isTop])

  // Both live regions (status, alert) exist before they contain text, as screen readers need this to announce the text.
  return (
    <section ref={region} className="toast-region" aria-label="Notifications (F8)" tabIndex={-1}>
      <div role="status">{shown && !isBad && <Toast key={shown.id} shown={shown} />}</div>
      <div role="alert">{shown && isBad && <Toast key={shown.id} shown={shown} />}</div>
    </section>
  )
}

function Toast({ shown }: { shown: ShownToast }) {
  const card = useRef<HTMLDivElement>(null)
  const dismiss = () => dismissToast(shown.id)
  const { action, alternative } = shown
  usePausableTimer(card, action ? displayWithActionMs : displayMs, dismiss)
  const swipe = useSwipeRight(card, dismiss)
  return (
    <div
      ref={card}
      role="presentation"
      className={shown.variant === 'destructive' ? 'toast toast-bad' : 'toast'}
      onKeyDown={(event) => event.key === 'Escape' && dismiss()}
      {...swipe}
    >
      <Icon name={shown.variant === 'destructive' ? 'alert' : 'check'} />
      <b>{shown.title}</b>
      <button type="button" aria-label="Dismiss" onClick={dismiss}>
        <Icon name="close" />
      </button>
      {shown.description && <p>{shown.description}</p>}
      {action && (
        <div className="toast-actions">
          {[action, ...(alternative ? [alternative] : [])].map(({ label, run }) => (
            <button
              key={label}
              type="button"
              className="toast-action"
              onClick={() => {
                dismiss()
                run()
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

/**
 * Calls `onEnd` after the notification was visible for the given time. The time does not run while the pointer is over
 * the notification, while it has the focus, or while the window is in the background.
 */
function usePausableTimer(
  card: React.RefObject<HTMLElement | null>,
  displayedMs: number,
  onEnd: () => void,
) {
  const end = useRef(onEnd)
  useEffect(() => {
    end.current = onEnd
  })
  useEffect(() => {
    const region = card.current?.closest<HTMLElement>('.toast-region')
    if (!region) return
    const reasons = new Set<string>()
    let left = displayedMs
    let startedAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = () => {
      startedAt = performance.now()
      timer = setTimeout(() => end.current(), left)
    }
    const hold = (reason: string) => {
      if (reasons.size === 0) {
        clearTimeout(timer)
        left -= performance.now() - startedAt
      }
      reasons.add(reason)
    }
    const release = (reason: string) => {
      if (reasons.delete(reason) && reasons.size === 0) run()
    }
    const stop = new AbortController()
    const on = (target: EventTarget, type: string, listener: () => void) =>
      target.addEventListener(type, listener, { signal: stop.signal })
    on(region, 'pointerenter', () => hold('pointer'))
    on(region, 'pointerleave', () => release('pointer'))
    on(region, 'focusin', () => hold('focus'))
    on(region, 'focusout', () => release('focus'))
    on(window, 'blur', () => hold('window'))
    on(window, 'focus', () => release('window'))
    run()
    if (region.matches(':hover')) hold('pointer')
    if (region.contains(document.activeElement)) hold('focus')
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [card, displayedMs])
}

/**
 * Moves the notification with a swipe to the right. A swipe beyond the threshold dismisses it; otherwise it springs
 * back.
 */
function useSwipeRight(card: React.RefObject<HTMLElement | null>, onSwipe: () => void) {
  const startX = useRef<number | null>(null)
  const move = (px: number) => card.current?.style.setProperty('--swipe', `${px}px`)
  const end = (event: PointerEvent) => {
    if (startX.current === null) return
    const distance = event.clientX - startX.current
    startX.current = null
    move(0)
    if (distance > swipeThresholdPx && event.type === 'pointerup') onSwipe()
  }
  return {
    onPointerDown(event: PointerEvent) {
      if (event.target instanceof Element && event.target.closest('button')) return
      startX.current = event.clientX
      card.current?.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent) {
      if (startX.current !== null) move(Math.max(0, event.clientX - startX.current))
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
