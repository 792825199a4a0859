import { Link } from '@tanstack/react-router'

import { useStore } from '../api/store.ts'
import { Shape } from '../ui/shapes.tsx'
import { dismiss, toasts } from '../ui/toasts.ts'
import './toasts.css'

/** What happened last, with a link to its audit entry. */
export function Toasts() {
  const lines = useStore(toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {lines.map(({ id, text, target, note, warnings = [] }) => (
        <div key={id} className="toast">
          {warnings.length > 0 && <Shape name="triangle" />}
          <div>
            <p>{text}</p>
            {note !== undefined && <p>{note}</p>}
            {warnings.map((warning) => (
              <p key={warning}>{warning}</p>
            ))}
          </div>
          {target !== undefined && (
            <Link to="/audit" search={{ target } as never} className="link">
              Audit entry
            </Link>
          )}
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
