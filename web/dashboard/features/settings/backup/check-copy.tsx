import { useState } from 'react'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { Input } from '#web/ui/field/field.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { readFingerprint } from './key-fingerprint.ts'

type Props = {
  /** The fingerprint (a short hash) of the key that encrypts the backup. */
  fingerprint: string
  onClose: () => void
}

/**
 * Lets the owner choose a copy of the key file, and states whether that file contains the key of the backup. The
 * browser compares the fingerprints itself and does not send the file to the server.
 */
export function CheckCopy({ fingerprint, onClose }: Props) {
  const [found, setFound] = useState<string>()
  const check = async (file: File | undefined) => {
    setFound(file && (await readFingerprint(file)))
  }
  return (
    <Dialog open size="small" title="Check a copy of the key" onClose={onClose}>
      <p>Choose your copy of the key file. Your browser compares the file and does not send it.</p>
      <Input
        label="Key file"
        type="file"
        onChange={({ target }) => void check(target.files?.[0])}
      />
      <div role="status">{found && <Result found={found} fingerprint={fingerprint} />}</div>
    </Dialog>
  )
}

function Result({ found, fingerprint }: { found: string; fingerprint: string }) {
  if (found === fingerprint) return <Notice tone="good" title="This key file opens the backup." />
  return (
    <Notice tone="bad" title="This key file does not open the backup.">
      It has the fingerprint {found}, the backup is made with {fingerprint}.
    </Notice>
  )
}
