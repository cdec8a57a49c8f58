/**
 * Explains the steps of a restore drill, a test that restores the backup. `isNightly` is true if a hosting provider
 * runs the database; the drill then restores the nightly backup.
 */
export function DrillSteps({ isNightly }: { isNightly: boolean }) {
  const compared = isNightly
    ? 'The drill compares every restored table with its content at the time of the backup. It also compares the sizes of all files and the content of some files.'
    : 'The drill compares the restored tables, row counts, ledger sums and histories with those of the shop. It also compares the sizes of all files and the content of some files.'
  return (
    <>
      <ol className="preview-card backup-steps">
        <li>A restore drill reads the newest backup from the target.</li>
        <li>
          The drill restores the backup into a separate folder of this machine, with low priority.
        </li>
        <li>{compared}</li>
        <li>The drill deletes the restored copy and stores the result.</li>
      </ol>
      <p className="hint">Only a restored and checked backup is called proven.</p>
    </>
  )
}
