import { useRef } from 'react'
import type { AccountantFileKind } from '#contracts/accountant-files.ts'
import { formatDate } from '#domain/calendar/calendar-date.ts'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Button } from '#web/ui/button/button.tsx'
import type { FileOutcome, FileRequest, useAccountantFile } from './use-accountant-file.ts'

type Props = {
  kind: AccountantFileKind
  title: string
  /** A description of the file's contents. */
  contents: string
  file: ReturnType<typeof useAccountantFile>
  isOffline: boolean
  onDownload: () => void
}

/** One file for the accountant: a description of the contents, and the progress and the result of the download. */
export function AccountantFile({ kind, title, contents, file, isOffline, onDownload }: Props) {
  const { making, error, bytes, stop } = file
  const request = making.variables?.kind === kind ? making.variables : undefined
  const button = useRef<HTMLButtonElement>(null)
  const retry = (failed: FileRequest) => {
    // The pressed button disappears together with the error notice, so the focus moves to the download button.
    button.current?.focus()
    making.mutate(failed)
  }
  const isRunning = request !== undefined && making.isPending
  return (
    <li>
      <div className="record-file">
        <div>
          <h4>{title}</h4>
          <p>{contents}</p>
        </div>
        {/* 'Download' and 'Stop' are the same button element, so that this button keeps the focus. */}
        <Button
          ref={button}
          compact
          aria-label={`${isRunning ? 'Stop' : 'Download'} ${title.toLowerCase()}`}
          disabled={isOffline || (making.isPending && !isRunning)}
          onClick={isRunning ? stop : onDownload}
        >
          {!isRunning && <Icon name="download" />}
          {isRunning ? 'Stop' : 'Download'}
        </Button>
      </div>
      <div role="status">
        {isRunning && (
          <p>
            Reading…
            {/* The progress is hidden from screen readers, which would otherwise announce every received chunk. */}
            {bytes > 0 && <span aria-hidden="true"> {sizeOf(bytes)} so far</span>}
          </p>
        )}
        {request && making.data && (
          <Outcome outcome={making.data} request={request} title={title} />
        )}
      </div>
      {request && error && (
        <Notice tone="bad" title="No file was saved.">
          <p>{error.message || brokenOff}</p>
          <Button compact onClick={() => retry(request)}>
            Try again
          </Button>
        </Notice>
      )}
    </li>
  )
}

const brokenOff = 'The connection ended before the download was complete. Please try again.'

function Outcome(props: { outcome: FileOutcome; request: FileRequest; title: string }) {
  const { outcome, request, title } = props
  if (outcome === 'stopped') return <Notice title="Stopped. No file was saved." />
  if (outcome === 'nothing') return <Notice title={nothingOf(title, request)} />
  return <Notice tone="good" title={`Saved as ${outcome.saved}.`} />
}

function nothingOf(title: string, { range: { from, to } }: FileRequest): string {
  const days =
    from === to ? `on ${formatDate(from)}` : `from ${formatDate(from)} to ${formatDate(to)}`
  return `There are no ${title.toLowerCase()} ${days}, so there is no file.`
}

/** Formats a number of bytes: '640 kB', '2.3 MB'. */
function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
