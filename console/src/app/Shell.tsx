import { Outlet } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

import { useStore } from '../api/store.ts'
import { Mark } from '../ui/Mark.tsx'
import { IdleLine } from './IdleLine.tsx'
import { KeysDialog } from './KeysDialog.tsx'
import { overlay, useKeys } from './keys.ts'
import { LinkLine } from './LinkLine.tsx'
import { Palette } from './Palette.tsx'
import './shell.css'
import { Sidebar } from './Sidebar.tsx'
import { StoreLine } from './StoreLine.tsx'
import { TimeTip } from './TimeTip.tsx'
import { Toasts } from './Toasts.tsx'

/** The frame of every page. */
export function Shell() {
  const over = useStore(overlay)
  const [isOpen, setIsOpen] = useState(false)
  useKeys()
  useEffect(() => {
    if (!isOpen) return
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setIsOpen(false)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        To the content
      </a>
      <header className="top">
        <button
          type="button"
          aria-label="Pages"
          aria-expanded={isOpen}
          aria-controls="sidebar"
          onClick={() => setIsOpen(!isOpen)}
        >
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d="M1 3h14M1 8h14M1 13h14" stroke="currentColor" strokeWidth="1.6" />
          </svg>
        </button>
        <p className="brand">
          <Mark /> Dragoman
        </p>
        <LinkLine />
      </header>
      <Sidebar isOpen={isOpen} onGo={() => setIsOpen(false)} />
      <main className="content" id="content" tabIndex={-1}>
        <IdleLine />
        <StoreLine />
        <Outlet />
      </main>
      <Toasts />
      <TimeTip />
      {over === 'palette' && <Palette />}
      {over === 'keys' && <KeysDialog />}
    </div>
  )
}
