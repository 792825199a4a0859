import { Link } from '@tanstack/react-router'

import { useStore } from '../api/store.ts'
import { dismiss, toasts } from '../ui/toasts.ts'
import './toasts.css'

/** What happened last, with a link to its audit entry. */
export function Toasts() {
  const lines = useStore(toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {lines.map(({ id, text, target }) => (
        <p key={id} className="toast">
          <span>{text}</span>
          {target !== undefined && (
            <Link to="/audit" search={{ target } as never} className="link">
              Audit entry
            </Link>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  )
}
