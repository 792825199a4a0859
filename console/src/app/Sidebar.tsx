import { Link } from '@tanstack/react-router'

import { signOut, useViewer } from '../api/session.ts'
import { Mark } from '../ui/Mark.tsx'
import { navigation } from './navigation.ts'

/** All pages, and who is signed in. */
export function Sidebar() {
  const { id, role } = useViewer()
  return (
    <div className="sidebar">
      <p className="brand">
        <Mark /> Dragoman
      </p>
      <nav aria-label="Pages">
        {navigation.map(({ group, pages }) => (
          <div key={group}>
            <p className="nav-group">{group}</p>
            <ul>
              {pages.map(({ to, name }) => (
                <li key={to}>
                  <Link to={to} className="nav-link">
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        <p>
          <span className="mono">{id}</span> <span className="muted">{role}</span>
        </p>
        <button type="button" className="nav-link" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </div>
  )
}
