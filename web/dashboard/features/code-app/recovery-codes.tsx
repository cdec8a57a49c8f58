import { Button } from '#web/ui/button/button.tsx'
import { toast } from '#web/ui/toast/toast.ts'

/** Shows new recovery codes for the two-factor sign-in. The dashboard shows each code only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      toast({ title: 'Recovery codes copied' })
    } catch {
      toast({
        title: 'The recovery codes were not copied. Select the codes and copy them.',
        variant: 'destructive',
      })
    }
  }
  return (
    <div className="profile-form" role="group" aria-label="Recovery codes">
      <p>
        <b>Recovery codes.</b> Each code works once. Print the codes or keep them in a password app.
        They are not shown again.
      </p>
      <div className="recovery-codes">
        {codes.map((code) => (
          <code key={code}>{code}</code>
        ))}
      </div>
      <div className="code-app-buttons">
        <Button compact onClick={() => print()}>
          Print
        </Button>
        <Button compact onClick={() => void copy()}>
          Copy
        </Button>
        <Button compact level="strong" onClick={onDone}>
          I saved the codes
        </Button>
      </div>
    </div>
  )
}
