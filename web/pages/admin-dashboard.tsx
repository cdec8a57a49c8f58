export function AdminDashboardPage() {
  return (
    <main id="main" tabIndex={-1} className="work">
      <h1>Admin Dashboard</h1>
    </main>
  )
}
