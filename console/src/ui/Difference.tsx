import { differences, isUnset } from './differences.ts'
import './difference.css'

/** What differs between two values of a thing, member by member. A member that a value lacks is not set there. */
export function Difference({
  before,
  after,
  heads = ['Before', 'After'],
}: {
  readonly before: unknown
  readonly after: unknown
  readonly heads?: readonly [before: string, after: string]
}) {
  const rows = differences(before, after)
  if (rows.length === 0) return <p className="secondary">The values are the same.</p>
  return (
    <div className="difference">
      <table>
        <thead>
          <tr>
            {['Field', ...heads].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path || 'value'}</code>
              </th>
              <Value value={before} />
              <Value value={after} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Value({ value }: { readonly value: unknown }) {
  if (isUnset(value))
    return (
      <td>
        <span className="muted">not set</span>
      </td>
    )
  return (
    <td>
      <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
    </td>
  )
}
