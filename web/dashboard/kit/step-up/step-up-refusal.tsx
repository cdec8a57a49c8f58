import { Notice } from '#web/ui/notice/notice.tsx'

/** Explains why the user's identity was not confirmed. The first sentence of the message is the title. */
export function StepUpRefusal({ message }: { message: string }) {
  const [title = '', ...details] = message.split(/(?<=\.) /)
  return (
    <Notice tone="bad" title={title.replace(/\.$/, '')}>
      {details.join(' ')}
    </Notice>
  )
}
