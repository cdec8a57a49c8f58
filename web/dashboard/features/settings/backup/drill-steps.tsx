/**
 * Explains the steps of a restore drill, a test that restores the backup. `isNightly` is true if a provider runs the
 * database; the drill then restores the nightly backup.
 */
export function DrillSteps({ isNightly }: { isNightly: boolean }) {
  const compared = isNightly
    ? 'It compares every table with what was read when the copy was made, the sizes of all files, and the content of a sample of them.'
    : 'It compares tables, counts, ledger sums, histories and the sizes of all files with the shop, and the content of a sample of files.'
  return (
    <>
      <ol className="preview-card backup-steps">
        <li>The drill takes the newest backup from the target.</li>
        <li>It restores the backup beside the shop, in a folder of its own, with low priority.</li>
        <li>{compared}</li>
        <li>It deletes the copy and keeps the result.</li>
      </ol>
      <p className="hint">Only a restored and checked backup is called proven.</p>
    </>
  )
}
