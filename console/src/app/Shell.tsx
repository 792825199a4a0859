import { Outlet } from '@tanstack/react-router'

import { Sidebar } from './Sidebar.tsx'
import './shell.css'

/** The frame of every page. */
export function Shell() {
  return (
    <div className="shell">
      <a className="skip" href="#content">
        To the content
      </a>
      <Sidebar />
      <main className="content" id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  )
}
