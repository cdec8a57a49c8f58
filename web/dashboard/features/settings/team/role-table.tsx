import { Fragment } from 'react'

type Row = readonly [what: string, owner: string, advisor: string, technician: string]

const groups: readonly (readonly [name: string, rows: readonly Row[]])[] = [
  [
    'Counter',
    [
      ['Calendar, bays, bookings', 'all', 'all', 'own and unassigned'],
      ['Customers: phone and email', 'all', 'all', 'no'],
      ['Estimates and approvals', 'all', 'all', 'no'],
    ],
  ],
  ['Work', [['Tasks', 'all', 'all', 'own']]],
  [
    'Money',
    [
      ['Invoices, payments, voids, day close', 'all', 'all', 'no'],
      ['Refunds', 'after confirming', 'after confirming', 'no'],
      ['Files for the accountant', 'all', 'all', 'no'],
    ],
  ],
  [
    'Shop',
    [
      ['Settings for hours, bays, services', 'all', 'all', 'no'],
      ['Settings for payments, team', 'all', 'no', 'no'],
      ['Delete or erase records', 'all', 'no', 'no'],
    ],
  ],
]

/** Lists the rights of each role in words. The database enforces these rights. */
export function RoleTable() {
  return (
    <section className="card settings-card accounts-card" aria-labelledby="roles">
      <header>
        <div>
          <h3 id="roles">What each role may do</h3>
          <p>The database enforces these rights for every page, file and URL.</p>
        </div>
      </header>
      <table className="role-table">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Owner</th>
            <th scope="col">Advisor</th>
            <th scope="col">Technician</th>
          </tr>
        </thead>
        <tbody>
          {groups.map(([group, rows]) => (
            <Fragment key={group}>
              <tr className="role-group">
                <th scope="colgroup" colSpan={4}>
                  {group}
                </th>
              </tr>
              {rows.map(([what, owner, advisor, technician]) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <Right>{owner}</Right>
                  <Right>{advisor}</Right>
                  <Right>{technician}</Right>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Right = ({ children }: { children: string }) => (
  <td className={children === 'no' ? 'role-no' : 'role-yes'}>{children}</td>
)
