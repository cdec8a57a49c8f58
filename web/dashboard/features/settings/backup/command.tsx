import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/**
 * A command for a terminal, with a button that copies it. `what` is the name of the command in the toast that confirms
 * the copying.
 */
export function Command({ command, what }: { command: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command)
      toast({ title: 'Copied', description: what })
    } catch {
      toast({ title: 'Could not copy', description: 'Please select the command and copy it.' })
    }
  }
  return (
    <div className="backup-command">
      <code>{command}</code>
      <Button compact onClick={() => void copy()}>
        Copy
      </Button>
    </div>
  )
}
