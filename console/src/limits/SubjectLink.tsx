import { Link } from '@tanstack/react-router'

import type { LimitView } from './words.ts'

const pages = { KEY: '/keys/$id', ACCOUNT: '/accounts/$id' } as const

/** What a limit limits, with a link to its page. */
export function SubjectLink({ subject: { type, id } }: Pick<LimitView, 'subject'>) {
  if (type === 'GATEWAY' || !id) return 'the gateway'
  return (
    <>
      <span className="muted">{type.toLowerCase()} </span>
      {type === 'TEAM' ? (
        <Link to="/teams" search={{ team: id }} className="link mono">
          {id}
        </Link>
      ) : (
        <Link to={pages[type]} params={{ id }} className="link mono">
          {id}
        </Link>
      )}
    </>
  )
}
