import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Passkey } from '#contracts/passkeys.ts'
import { LoadFailure } from '#web/dashboard/kit/controls/load-failure.tsx'
import { Button } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'
import { Notice } from '#web/ui/notice/notice.tsx'
import { Skeleton } from '#web/ui/skeleton/skeleton.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { passkeysKey, readPasskeys } from './passkeys-api.ts'
import './passkeys.css'

/** The passkeys of the signed-in team member (docs/product.md 6.9). */
export function PasskeysSection() {
  const { data, dataUpdatedAt, isError, refetch } = useQuery({
    queryKey: passkeysKey,
    queryFn: readPasskeys,
  })
  const [isAdding, setAdding] = useState(false)
  const canAdd = data?.unavailableAt === null
  const add = () => setAdding(true)
  return (
    <section className="card passkeys" aria-labelledby="passkeys-title">
      <header>
        <div>
          <h3 id="passkeys-title">Passkeys</h3>
          {canAdd && (
            <p>A passkey is the fastest way to sign in. Add one on each of two devices.</p>
          )}
        </div>
        {canAdd && (
          <Button compact level="primary" onClick={add}>
            <Icon name="plus" />
            Add a passkey
          </Button>
        )}
      </header>
      {isError && !data && (
        <LoadFailure title="The passkeys could not be loaded." onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton />}
      {typeof data?.unavailableAt === 'string' && <WithoutHttps address={data.unavailableAt} />}
      {data && (
        <PasskeyList passkeys={data.passkeys} readAt={new Date(dataUpdatedAt)} onAdd={add} />
      )}
      {isAdding && (
        <AddPasskeyDialog device={data?.device ?? ''} onClose={() => setAdding(false)} />
      )}
    </section>
  )
}

function PasskeyList({
  passkeys,
  readAt,
  onAdd,
}: {
  passkeys: readonly Passkey[]
  readAt: Date
  onAdd: () => void
}) {
  return (
    <>
      {passkeys.map((passkey) => (
        <AnomalyNotice key={passkey.id} passkey={passkey} />
      ))}
      <ul className="passkey-list">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} readAt={readAt} onAdd={onAdd} />
        ))}
      </ul>
    </>
  )
}

function AnomalyNotice({ passkey: { name, isSwitchedOff, isSuspicious } }: { passkey: Passkey }) {
  if (!isSwitchedOff && !isSuspicious) return null
  return (
    <Notice tone={isSwitchedOff ? 'bad' : 'warn'} title={`“${name}” may have been copied`}>
      {isSwitchedOff
        ? 'This passkey was switched off because it may have been copied. Remove it and create a new one.'
        : 'This passkey may have been copied. Remove it and create a new one, before the site switches it off.'}
    </Notice>
  )
}

function WithoutHttps({ address }: { address: string }) {
  return (
    <Notice title="Passkeys need https">
      This site runs at {address}. Set PUBLIC_URL to an https address with a host name, or use
      localhost. Your password keeps working.
    </Notice>
  )
}
