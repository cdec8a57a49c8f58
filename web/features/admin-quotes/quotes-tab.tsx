export function QuotesTab() {
  return <h2>Quote Requests</h2>
}
