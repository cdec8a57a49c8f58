import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listRepairRecords, type RepairRecord } from './repair-records.ts'
import { RepairRecordList } from './repair-record-list.tsx'

type Props = { kind: Parameters<typeof listRepairRecords>[0]; id: string }

/** Reads the records of one repair. */
export function useRepairRecords({ kind, id }: Props, isWanted = true) {
  return useQuery({
    queryKey: ['estimates', 'repair-records', kind, id],
    queryFn: () => listRepairRecords(kind, id),
    enabled: isWanted,
  })
}

/**
 * A collapsible list of the other records of the same repair. The page requests the records when the user opens the
 * list.
 */
export function RepairDetails({ kind, id }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { data, isError } = useRepairRecords({ kind, id }, isOpen)
  return (
    <details
      className="repair-details"
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>Related records</summary>
      {isError && <p>The related records could not be loaded.</p>}
      {data && <Others entries={data.filter((entry) => entry.kind !== kind || entry.id !== id)} />}
    </details>
  )
}

function Others({ entries }: { entries: readonly RepairRecord[] }) {
  return entries.length > 0 ? (
    <RepairRecordList entries={entries} />
  ) : (
    <p>No related records yet.</p>
  )
}
