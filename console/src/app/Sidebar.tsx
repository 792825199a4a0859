import { Link } from '@tanstack/react-router'

import { signOut, useViewer } from '../api/session.ts'
import { Mark } from '../ui/Mark.tsx'
import { Switch } from '../ui/Switch.tsx'
import { overlay } from './keys.ts'
import { LinkLine } from './LinkLine.tsx'
import { navigation } from './navigation.ts'
import { setTheme, useTheme } from './theme.ts'

const themes = [
  { value: 'auto', name: 'Auto' },
  { value: 'light', name: 'Light' },
  { value: 'dark', name: 'Dark' },
] as const

/** All pages, the state of the link, and who is signed in. */
export function Sidebar({ isOpen, onGo }: { readonly isOpen: boolean; readonly onGo: () => void }) {
  const { id, role } = useViewer()
  const theme = useTheme()
  const openPalette = () => {
    onGo()
    overlay.set('palette')
  }
  return (
    <div className={isOpen ? 'sidebar sidebar-open' : 'sidebar'} id="sidebar">
      <p className="brand">
        <Mark /> Dragoman
      </p>
      <button type="button" className="go-to" onClick={openPalette}>
        Go to, or find an id <kbd>Ctrl K</kbd>
      </button>
      <nav aria-label="Pages">
        {navigation.map(({ group, pages }) => (
          <div key={group}>
            <p className="nav-group">{group}</p>
            <ul>
              {pages.map(({ to, name }) => (
                <li key={to}>
                  <Link to={to} className="nav-link" onClick={onGo}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="sidebar-foot">
        <LinkLine />
        <p className="cut" title={id}>
          <span className="mono">{id}</span> <span className="muted">{role}</span>
        </p>
        <Switch label="Theme" options={themes} value={theme} onChange={setTheme} />
        <button type="button" className="nav-link" onClick={() => overlay.set('keys')}>
          Keyboard
        </button>
        <button type="button" className="nav-link" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </div>
  )
}
